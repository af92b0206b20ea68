#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/clock.h"

namespace walkabout::base {
namespace {

TEST(Clock, NeverRunsBackwards) {
  for (const clockid_t clock : {CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID, CLOCK_PROCESS_CPUTIME_ID}) {
    const uint64_t first = clock_ns(clock);
    EXPECT_GT(first, 0u);
    EXPECT_GE(clock_ns(clock), first);
  }
  EXPECT_GT(wall_ns(), 1'600'000'000'000'000'000u) << "nanoseconds since 1970";
}

TEST(Clock, ACpuClockAdvancesWhileItsThreadComputes) {
  const uint64_t first = thread_cpu_ns();
  while (thread_cpu_ns() == first) {
  }
  EXPECT_GT(thread_cpu_ns(), first);
}

TEST(Clock, AnotherThreadsCpuClockIsItsOwn) {
  std::atomic<pid_t> tid{0};
  std::atomic<bool> stop{false};
  uint64_t own = 0;
  std::thread thread([&] {
    const uint64_t first = thread_cpu_ns();
    while (thread_cpu_ns() < first + 1'000'000) {
    }
    own = thread_cpu_ns();
    tid = static_cast<pid_t>(::syscall(SYS_gettid));
    tid.notify_all();
    stop.wait(false);
  });
  tid.wait(0);
  const uint64_t seen = clock_ns(thread_cpu_clock(tid));
  EXPECT_GE(seen, own);
  stop = true;
  stop.notify_all();
  thread.join();
}

TEST(Clock, AClockThatDoesNotExistIsZero) { EXPECT_EQ(clock_ns(static_cast<clockid_t>(12345)), 0u); }

}  // namespace
}  // namespace walkabout::base
