#include "base/linux/trap_probe.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/linux/tick_filter.h"
#include "base/linux/tick_sources.h"
#include "base/linux/tick_trap.h"
#include "base/sanitizers.h"

namespace walkabout::base {
namespace {

std::atomic<uint64_t> g_probes{0};

void on_trap(int, siginfo_t* info, void*) {
  uint32_t slot = 0;
  if (is_tick_trap(*info, &slot) && slot == kProbeSlot) ++g_probes;
}

class TrapProbeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kThreadSanitizer)
      GTEST_SKIP()
          << "ThreadSanitizer installs a handler of its own; the filter takes the traps for another's";
  }
  TrapProbeTest() {
    struct sigaction action {};
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigaction(SIGTRAP, &action, &before_);
  }
  ~TrapProbeTest() override { ::sigaction(SIGTRAP, &before_, nullptr); }
  struct sigaction before_ {};
};

TEST_F(TrapProbeTest, AnAnswerIsOfTheKernelOrTheRights) {
  const KernelTickProbe probe = probe_kernel_ticks(on_trap, g_probes);
  EXPECT_NE(probe.answer, KernelTicks::kSilent);
  const bool refused = probe.answer == KernelTicks::kRefused || probe.answer == KernelTicks::kNoFilter;
  EXPECT_EQ(probe.error != 0, refused);
  EXPECT_EQ(probe.answer == KernelTicks::kFine, g_probes >= 3u);
  sigset_t now;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
  EXPECT_FALSE(sigismember(&now, SIGTERM)) << "the thread's mask is as it was";
}

// A tick that is still to come when a program is replaced would end the new one. Broken by the filter without
// execve: SIGTRAP.
TEST_F(TrapProbeTest, ATickedProgramCanBeReplaced) {
  if (probe_kernel_ticks(on_trap, g_probes).answer != KernelTicks::kFine)
    GTEST_SKIP() << "no ticks in system calls";
  for (int i = 0; i < 10; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      const Fd clock(open_trap_clock(0, 100'000, tick_data(kProbeSlot)));
      const Fd filter(load_tick_filter(on_trap));
      if (set_tick_filter(clock.get(), filter.get()) != 0) ::_exit(2);
      ::ioctl(clock.get(), PERF_EVENT_IOC_ENABLE, 0);
      ::execl("/bin/true", "true", nullptr);
      ::_exit(3);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }
}

class FilteredClock {
 public:
  explicit FilteredClock(TrapHandler wake_handler = nullptr, const TickStack& stack = {}) {
    filter_ = Fd(load_tick_filter(on_trap, wake_handler, stack));
    EXPECT_TRUE(filter_.valid());
    clock_ = Fd(open_trap_clock(0, 100'000, tick_data(kProbeSlot)));
    EXPECT_EQ(set_tick_filter(clock_.get(), filter_.get()), 0);
    ::ioctl(clock_.get(), PERF_EVENT_IOC_ENABLE, 0);
  }
  static uint64_t ticks_of(uint64_t ns) {
    const uint64_t before = g_probes;
    for (const uint64_t end = thread_cpu_ns() + ns; thread_cpu_ns() < end;) continue;
    return g_probes - before;
  }

 private:
  Fd filter_, clock_;
};

// Broken by a filter that wakes nobody, or that wakes where a call would end early.
TEST_F(TrapProbeTest, AThreadThatTicksIsWokenWhereTheDefaultActionStands) {
  if (probe_kernel_ticks(on_trap, g_probes).answer != KernelTicks::kFine) GTEST_SKIP() << "no traps here";
  static std::atomic<int> woken;
  const auto on_wake = +[](int, siginfo_t*, void*) { ++woken; };
  struct sigaction action {
  }, before{}, trap_before{};
  action.sa_sigaction = on_wake;
  action.sa_flags = SA_SIGINFO;
  ASSERT_EQ(::sigaction(SIGURG, &action, &before), 0);
  {
    const FilteredClock clock(on_wake);
    EXPECT_GT(clock.ticks_of(10'000'000), 0u);
    EXPECT_EQ(woken.load(), 0);
    struct sigaction none {};
    ::sigaction(SIGTRAP, &none, &trap_before);
    EXPECT_EQ(clock.ticks_of(10'000'000), 0u);
    EXPECT_GT(woken.load(), 0);
    none.sa_handler = SIG_IGN;
    ::sigaction(SIGTRAP, &none, nullptr);
    const int by_default = woken.load();
    EXPECT_EQ(clock.ticks_of(10'000'000), 0u);
    EXPECT_EQ(woken.load(), by_default);
    ::sigaction(SIGTRAP, &trap_before, nullptr);
  }
  {
    const FilteredClock clock(on_trap);  // not what stands for SIGURG
    struct sigaction none {};
    ::sigaction(SIGTRAP, &none, nullptr);
    const int until_now = woken.load();
    EXPECT_EQ(clock.ticks_of(10'000'000), 0u);
    EXPECT_EQ(woken.load(), until_now);
    ::sigaction(SIGTRAP, &trap_before, nullptr);
  }
  ::sigaction(SIGURG, &before, nullptr);
}

// A signal that waits would end a program that comes behind an execve. Broken by the filter without the mask.
TEST_F(TrapProbeTest, AThreadThatBlocksTrapsHasNone) {
  if (probe_kernel_ticks(on_trap, g_probes).answer != KernelTicks::kFine) GTEST_SKIP() << "no traps here";
  const FilteredClock clock;
  EXPECT_GT(clock.ticks_of(10'000'000), 0u);
  sigset_t traps, waiting;
  sigemptyset(&traps);
  sigaddset(&traps, SIGTRAP);
  ::pthread_sigmask(SIG_BLOCK, &traps, nullptr);
  EXPECT_EQ(clock.ticks_of(10'000'000), 0u);
  ::sigpending(&waiting);
  EXPECT_FALSE(sigismember(&waiting, SIGTRAP));
  ::pthread_sigmask(SIG_UNBLOCK, &traps, nullptr);
  EXPECT_GT(clock.ticks_of(10'000'000), 0u);
}

thread_local uint64_t t_stack_end = 0;

// Half of the ticks come inside the system call that reads the clock.
TEST_F(TrapProbeTest, NearTheEndOfItsStackAThreadHasNone) {
  if (probe_kernel_ticks(on_trap, g_probes).answer != KernelTicks::kFine) GTEST_SKIP() << "no traps here";
  const auto at = reinterpret_cast<char*>(&t_stack_end) - static_cast<char*>(__builtin_thread_pointer());
  const FilteredClock clock(nullptr, {static_cast<int32_t>(at), 64 * 1024});
  EXPECT_GT(clock.ticks_of(10'000'000), 0u) << "not known";
  const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  t_stack_end = here - 32 * 1024;
  EXPECT_EQ(clock.ticks_of(10'000'000), 0u);
  t_stack_end = here - 96 * 1024;
  EXPECT_GT(clock.ticks_of(10'000'000), 0u);
  t_stack_end = here + 32 * 1024;
  EXPECT_GT(clock.ticks_of(10'000'000), 0u) << "another stack than that of the code that runs";
  t_stack_end = 0;
}

// A thread with all signals blocked that takes them by waiting: a tick of the mask that only the call has
// would be seen. Broken by the filter without these calls: hundreds.
TEST_F(TrapProbeTest, WaitsWithAMaskOfTheirOwnSeeNoTick) {
  if (probe_kernel_ticks(on_trap, g_probes).answer != KernelTicks::kFine) GTEST_SKIP() << "no traps here";
  const FilteredClock clock;
  sigset_t all, none, before;
  sigfillset(&all);
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const timespec soon{0, 1000};
  int seen = 0;
  for (const uint64_t end = thread_cpu_ns() + 300'000'000; thread_cpu_ns() < end;) {
    seen += ::sigtimedwait(&all, nullptr, &soon) >= 0;
    seen += ::ppoll(nullptr, 0, &soon, &none) < 0;
    seen += ::pselect(0, nullptr, nullptr, nullptr, &soon, &none) < 0;
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    sigset_t waiting;
    ::sigpending(&waiting);
    seen += sigismember(&waiting, SIGTRAP);
  }
  EXPECT_EQ(seen, 0);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

std::atomic<uint64_t> g_taken{0};
void takers_handler(int) { ++g_taken; }

// Broken by the filter without the handler: the program's was called 99 times, and its default action ended
// it.
TEST_F(TrapProbeTest, AProgramThatTakesTrapsGetsNoneOfOurs) {
  if (probe_kernel_ticks(on_trap, g_probes).answer != KernelTicks::kFine) GTEST_SKIP() << "no traps here";
  const FilteredClock clock;
  EXPECT_GT(clock.ticks_of(10'000'000), 0u);
  struct sigaction ours {};
  ::sigaction(SIGTRAP, nullptr, &ours);
  ::signal(SIGTRAP, takers_handler);
  EXPECT_EQ(clock.ticks_of(10'000'000), 0u);
  EXPECT_EQ(g_taken, 0u);
  ::signal(SIGTRAP, SIG_DFL);
  EXPECT_EQ(clock.ticks_of(10'000'000), 0u);
  ::sigaction(SIGTRAP, &ours, nullptr);
  EXPECT_GT(clock.ticks_of(10'000'000), 0u);
}

TEST(TickTrap, OurTicksAreDistinguishedFromOtherTraps) {
  uint32_t slot = 0;
  EXPECT_TRUE(read_tick_data(tick_data(4095), &slot));
  EXPECT_EQ(slot, 4095u);
  siginfo_t info{};
  info.si_signo = SIGTRAP;
  info.si_code = TRAP_BRKPT;
  EXPECT_FALSE(is_tick_trap(info, &slot));
  info.si_code = kTrapPerf;
  EXPECT_FALSE(is_tick_trap(info, &slot)) << "another's perf event";
}

}  // namespace
}  // namespace walkabout::base
