// Real AArch64 stacks, under an emulator or on a machine: through libc's qsort and a signal frame to the
// thread's entry, by the call frame information of the loaded libraries, against libgcc's unwinder; and by
// frame records.
#include <gtest/gtest.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/elf_image.h"
#include "unwind/machine/frame_record_arm64.h"
#include "unwind/machine/signal_frame_arm64.h"
#include "unwind/rule/cfi_step.h"

namespace walkabout::unwind {
namespace {

constexpr size_t kMaxFrames = 200;

// Everything is mapped: what is walked is alive.
Memory own_memory() {
  Memory memory;
  memory.lo = 4096;
  memory.hi = UINT64_MAX;
  return memory;
}

std::vector<ElfImage> modules() {
  std::vector<ElfImage> images;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        ElfImage image;
        const LoadedElf elf{info->dlpi_addr, {info->dlpi_phdr, info->dlpi_phnum}};
        if (read_elf_image(elf, own_memory(), &image))
          static_cast<std::vector<ElfImage>*>(data)->push_back(image);
        return 0;
      },
      &images);
  return images;
}

Registers registers_of(const ucontext_t& context) {
  Registers regs;
  for (int i = 0; i < 31; ++i) regs.r[i] = context.uc_mcontext.regs[i];
  regs.sp() = context.uc_mcontext.sp;
  regs.pc() = context.uc_mcontext.pc;
  return regs;
}

struct Walk {
  std::vector<uint64_t> pcs;
  size_t signal_frames = 0;
  bool rooted = false;
};

bool at_trampoline(uint64_t pc) {
  uint32_t code[2];
  std::memcpy(code, reinterpret_cast<const void*>(pc), sizeof code);
  return std::equal(std::begin(code), std::end(code), std::begin(arm64::kTrampoline));
}

Walk walk(const std::vector<ElfImage>& images, Registers regs) {
  Walk walked;
  for (bool interrupted = true; walked.pcs.size() < kMaxFrames;) {
    walked.pcs.push_back(regs.pc());
    if (at_trampoline(regs.pc())) {
      ++walked.signal_frames;
      if (!arm64::step_signal_frame(regs, own_memory())) return walked;
      interrupted = true;
      continue;
    }
    const uint64_t lookup = interrupted ? regs.pc() : regs.pc() - 1;
    const auto image = std::find_if(images.begin(), images.end(),
                                    [&](const ElfImage& i) { return lookup >= i.begin && lookup < i.end; });
    CfiRule rule;
    if (image == images.end() || cfi_interpret(image->cfi, lookup, &rule) != CfiStatus::kOk) return walked;
    const StepStatus status = cfi_step(rule, regs, own_memory());
    walked.rooted = status == StepStatus::kOutermost;
    if (status != StepStatus::kOk) return walked;
    interrupted = false;
  }
  return walked;
}

_Unwind_Reason_Code collect(_Unwind_Context* context, void* to) {
  static_cast<Walk*>(to)->pcs.push_back(_Unwind_GetIP(context));
  return _URC_NO_REASON;
}

struct Caught {
  std::vector<ElfImage> images = modules();
  bool done = false;
  uint64_t interrupted_pc = 0;
  Walk from_context, from_handler, truth;
};
thread_local Caught* t_caught = nullptr;

void on_signal(int, siginfo_t*, void* context) {
  const auto& interrupted = *static_cast<const ucontext_t*>(context);
  t_caught->done = true;
  t_caught->interrupted_pc = interrupted.uc_mcontext.pc;
  t_caught->from_context = walk(t_caught->images, registers_of(interrupted));
  ucontext_t here;
  ::getcontext(&here);
  t_caught->from_handler = walk(t_caught->images, registers_of(here));
  _Unwind_Backtrace(collect, &t_caught->truth);
}

int compare_and_raise(const void* a, const void* b) {
  if (!t_caught->done) ::pthread_kill(::pthread_self(), SIGUSR2);
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

[[gnu::noinline]] void sort_with_signal() {
  int numbers[200];
  for (int i = 0; i < 200; ++i) numbers[i] = (i * 7919) % 200;
  std::qsort(numbers, 200, sizeof(int), compare_and_raise);
}

void* sort_on_thread(void* context) {
  t_caught = static_cast<Caught*>(context);
  sort_with_signal();
  return nullptr;
}

// The frames above the signal frame, as the other walk has them.
void expect_continues(const Walk& through, const Walk& interrupted) {
  const auto at = std::find(through.pcs.begin(), through.pcs.end(), interrupted.pcs.front());
  ASSERT_NE(at, through.pcs.end()) << "the interrupted pc is not on the stack";
  const auto count = std::min<size_t>(static_cast<size_t>(through.pcs.end() - at), interrupted.pcs.size());
  for (size_t i = 0; i < count; ++i)
    EXPECT_EQ(at[static_cast<ptrdiff_t>(i)], interrupted.pcs[i]) << "frame " << i;
  EXPECT_GE(count, 6u);
}

class Live : public ::testing::Test {
 protected:
  Live() {
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGUSR2, &action, &before_);
  }
  ~Live() override { ::sigaction(SIGUSR2, &before_, nullptr); }

  void expect_whole_stacks() {
    ASSERT_TRUE(caught_.done);
    EXPECT_EQ(caught_.from_context.pcs.front(), caught_.interrupted_pc);
    EXPECT_TRUE(caught_.from_context.rooted) << caught_.from_context.pcs.size() << " frames";
    EXPECT_TRUE(caught_.from_handler.rooted) << caught_.from_handler.pcs.size() << " frames";
    EXPECT_EQ(caught_.from_context.signal_frames, 0u);
    EXPECT_EQ(caught_.from_handler.signal_frames, 1u);
    expect_continues(caught_.from_handler, caught_.from_context);
    expect_continues(caught_.truth, caught_.from_context);
  }

  Caught caught_;
  struct sigaction before_ {};
};

TEST_F(Live, ThroughQsortToTheProcessEntry) {
  t_caught = &caught_;
  sort_with_signal();
  expect_whole_stacks();
}

TEST_F(Live, ThroughQsortToTheThreadsEntry) {
  pthread_t thread;
  ASSERT_EQ(::pthread_create(&thread, nullptr, sort_on_thread, &caught_), 0);
  ::pthread_join(thread, nullptr);
  expect_whole_stacks();
}

// Functions of this program keep frame records, signed ones where the processor signs.
struct BothWays {
  std::vector<ElfImage> images = modules();
  Walk by_cfi;
  std::vector<uint64_t> by_record;
};

[[gnu::noinline]] int descend(int depth, BothWays& both) {
  if (depth > 0) return descend(depth - 1, both) + depth;
  ucontext_t here;
  ::getcontext(&here);
  Registers regs = registers_of(here);
  both.by_cfi = walk(both.images, regs);
  both.by_record.push_back(regs.pc());
  while (arm64::step_by_record(regs, own_memory()) == arm64::RecordStep::kStepped) {
    both.by_record.push_back(regs.pc());
  }
  return 0;
}

TEST(Records, AreTheFramesThatCallFrameInformationFinds) {
  BothWays both;
  EXPECT_EQ(descend(12, both), 78);
  ASSERT_TRUE(both.by_cfi.rooted);
  ASSERT_GE(both.by_record.size(), 14u);
  for (size_t i = 0; i < 14; ++i) EXPECT_EQ(both.by_record[i], both.by_cfi.pcs[i]) << "frame " << i;
}

}  // namespace
}  // namespace walkabout::unwind
