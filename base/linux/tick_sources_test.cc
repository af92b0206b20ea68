#include "base/linux/tick_sources.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"

namespace walkabout::base {
namespace {

TEST(TickSources, ATaskClockCountsTheThreadsCpuTime) {
  if (const int error = try_task_clock(); error != 0) GTEST_SKIP() << "perf events: errno " << error;
  const Fd clock(open_task_clock(0, 1'000'000));
  ASSERT_TRUE(clock.valid());
  uint64_t before = 1, after = 0;
  ASSERT_EQ(::read(clock.get(), &before, sizeof before), ssize_t{sizeof before});
  EXPECT_EQ(before, 0u) << "not started";
  ASSERT_EQ(::ioctl(clock.get(), PERF_EVENT_IOC_ENABLE, 0), 0);
  for (const uint64_t end = thread_cpu_ns() + 2'000'000; thread_cpu_ns() < end;) continue;
  ASSERT_EQ(::read(clock.get(), &after, sizeof after), ssize_t{sizeof after});
  EXPECT_GT(after, 1'000'000u);
}

TEST(TickSources, OfAThreadThatIsNotThereThereIsNone) {
  constexpr pid_t kNobody = 0x7fffffff;
  EXPECT_EQ(open_task_clock(kNobody, 1'000'000), -1);
  EXPECT_NE(errno, 0);
}

TEST(TickSources, TimersFireAtTheKernelsTick) {
  EXPECT_EQ(try_cpu_timer(), 0);
  EXPECT_GE(kernel_tick_ns(), 100'000u);
  EXPECT_LE(kernel_tick_ns(), 100'000'000u);
}

}  // namespace
}  // namespace walkabout::base
