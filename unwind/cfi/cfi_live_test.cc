// Real stacks of this process: through libc's qsort, through a signal frame, on the main thread and on
// another, to the outermost frame, by the interpreter and by the compiled tables, which must agree with
// libgcc's unwinder.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/sanitizers.h"
#include "unwind/cfi/cfi_test_walk.h"
#include "unwind/machine/signal_context_x64.h"

namespace walkabout::unwind {
namespace {

using testing::kMaxFrames;
using testing::load_modules;
using testing::Modules;
using testing::walk;
using testing::Walk;
using testing::Way;

_Unwind_Reason_Code collect(_Unwind_Context* context, void* to) {
  auto* found = static_cast<Walk*>(to);
  const uint64_t pc = _Unwind_GetIP(context);
  if (pc == 0 || found->count == kMaxFrames) return _URC_END_OF_STACK;
  found->pcs[found->count++] = pc;
  return _URC_NO_REASON;
}

// What the signal handler found.
struct Caught {
  const Modules* modules = nullptr;
  bool done = false;
  Registers interrupted;
  Walk from_context[2];  // of the interrupted code, by Way
  Walk from_handler[2];  // of the handler itself, through the signal frame
  Walk truth;            // libgcc's, of the handler
};
thread_local Caught* caught = nullptr;

void on_signal(int, siginfo_t*, void* context) {
  if (caught == nullptr || caught->done) return;
  caught->done = true;
  caught->interrupted = registers_of(*static_cast<const ucontext_t*>(context));
  ucontext_t here;
  ::getcontext(&here);
  for (const Way way : {Way::kInterpreted, Way::kCompiled}) {
    const auto i = static_cast<size_t>(way);
    caught->from_context[i] = walk(*caught->modules, way, caught->interrupted);
    caught->from_handler[i] = walk(*caught->modules, way, registers_of(here));
  }
  _Unwind_Backtrace(collect, &caught->truth);
}

int compare_and_raise(const void* a, const void* b) {
  if (!caught->done) ::pthread_kill(::pthread_self(), SIGUSR2);
  const int x = *static_cast<const int*>(a);
  const int y = *static_cast<const int*>(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

// Sorts through libc's qsort; the comparator raises a signal, once. Few numbers: then qsort does not allocate
// either.
[[gnu::noinline]] void sort_with_signal() {
  std::array<int, 200> numbers;
  for (int i = 0; i < 200; ++i) numbers[static_cast<size_t>(i)] = (i * 7919) % 200;
  std::qsort(numbers.data(), numbers.size(), sizeof(int), compare_and_raise);
}

void* sort_on_thread(void* context) {
  caught = static_cast<Caught*>(context);
  sort_with_signal();
  caught = nullptr;
  return nullptr;
}

void expect_equal(const Walk& a, const Walk& b) {
  EXPECT_EQ(a.count, b.count);
  for (size_t i = 0; i < std::min(a.count, b.count); ++i) EXPECT_EQ(a.pcs[i], b.pcs[i]) << "frame " << i;
}

size_t index_of(const Walk& walk, uint64_t pc) {
  return static_cast<size_t>(std::find(walk.pcs.begin(), walk.pcs.begin() + walk.count, pc) -
                             walk.pcs.begin());
}

bool has_frame_of(const Walk& walk, uint64_t symbol, uint64_t size) {
  return std::any_of(walk.pcs.begin(), walk.pcs.begin() + walk.count,
                     [&](uint64_t pc) { return pc > symbol && pc < symbol + size; });
}

class CfiLive : public ::testing::Test {
 protected:
  void SetUp() override {
    if (base::kThreadSanitizer)
      GTEST_SKIP() << "ThreadSanitizer runs handlers later, not on top of the interrupted code";
  }
  CfiLive() {
    caught_.modules = &modules_;
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigaction(SIGUSR2, &action, &before_);
  }
  ~CfiLive() override {
    caught = nullptr;
    ::sigaction(SIGUSR2, &before_, nullptr);
  }

  void expect_whole_stacks() {
    ASSERT_TRUE(caught_.done);
    for (const Way way : {Way::kInterpreted, Way::kCompiled}) {
      const auto i = static_cast<size_t>(way);
      const Walk& interrupted = caught_.from_context[i];
      const Walk& handler = caught_.from_handler[i];
      EXPECT_EQ(interrupted.end, StepStatus::kOutermost) << "frames " << interrupted.count;
      EXPECT_EQ(handler.end, StepStatus::kOutermost) << "frames " << handler.count;
      EXPECT_EQ(handler.signal_frames, interrupted.signal_frames + 1);
      EXPECT_TRUE(has_frame_of(interrupted, reinterpret_cast<uint64_t>(sort_with_signal), 4096));
      expect_continues(handler, interrupted);
      expect_continues(caught_.truth, interrupted);
    }
    expect_equal(caught_.from_context[0], caught_.from_context[1]);
  }

  // Above the signal frame both are the interrupted stack. libgcc tells pcs of callers as return addresses
  // too.
  void expect_continues(const Walk& through, const Walk& interrupted) {
    const size_t at = index_of(through, interrupted.pcs[0]);
    ASSERT_LT(at, through.count) << "the interrupted pc is not on the stack";
    ASSERT_EQ(through.count - at, interrupted.count);
    for (size_t i = 0; i < interrupted.count; ++i)
      EXPECT_EQ(through.pcs[at + i], interrupted.pcs[i]) << "frame " << i;
  }

  const Modules modules_ = load_modules();
  Caught caught_;
  struct sigaction before_ {};
};

TEST_F(CfiLive, ThroughQsortToTheProcessEntry) {
  caught = &caught_;
  sort_with_signal();
  expect_whole_stacks();
  EXPECT_GE(caught_.from_context[0].count, 8u);
}

TEST_F(CfiLive, ThroughQsortToTheThreadsEntry) {
  pthread_t thread;
  ASSERT_EQ(::pthread_create(&thread, nullptr, sort_on_thread, &caught_), 0);
  ::pthread_join(thread, nullptr);
  expect_whole_stacks();
  EXPECT_GE(caught_.from_context[0].count, 5u);
}

// A handler interrupted by another signal: two signal frames on one stack.
void raise_inside(int) { sort_with_signal(); }

TEST_F(CfiLive, ThroughTwoSignalFrames) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = raise_inside;
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  caught = &caught_;
  ::pthread_kill(::pthread_self(), SIGUSR1);
  ::sigaction(SIGUSR1, &before, nullptr);
  expect_whole_stacks();
  EXPECT_EQ(caught_.from_context[0].signal_frames, 1u);
  EXPECT_EQ(caught_.from_handler[1].signal_frames, 2u);
}

// Every register of the interrupted code comes back out of the signal frame, not only those a callee saves.
TEST_F(CfiLive, SignalFramesRestoreAllRegisters) {
  caught = &caught_;
  sort_with_signal();
  ASSERT_TRUE(caught_.done);
  for (const Walk& walk : caught_.from_handler) {
    ASSERT_EQ(walk.signal_frames, 1u);
    for (int reg = 0; reg < kRegCount; ++reg) {
      EXPECT_EQ(walk.behind_signal.r[reg], caught_.interrupted.r[reg]) << "register " << reg;
    }
  }
}

}  // namespace
}  // namespace walkabout::unwind
