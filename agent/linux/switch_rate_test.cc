#include "agent/linux/switch_rate.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

constexpr uint64_t kOneMs = 1'000'000;
constexpr auto kPerf = ThreadClock::kPerfEvent, kTimer = ThreadClock::kTimer;

// A thread of which each judgement sees 100 ms more of CPU time.
class Thread {
 public:
  ThreadClock uses_100ms(uint64_t runs) {
    ticks_ += SwitchRate::kTicks;
    counts_.ran_ns += 100 * kOneMs;
    counts_.runs += runs;
    rate_.looks(ticks_, counts_.ran_ns);
    EXPECT_TRUE(rate_.is_due());
    return has_ = rate_.judge(counts_, has_);
  }

 private:
  SwitchRate rate_;
  ThreadClock has_ = kPerf;
  uint64_t ticks_ = 0;
  SchedCounts counts_;
};

TEST(SwitchRate, AThreadThatIsSwitchedOftenHasATimerUntilItIsSwitchedSeldom) {
  Thread thread;
  EXPECT_EQ(thread.uses_100ms(399), kPerf);
  EXPECT_EQ(thread.uses_100ms(400), kTimer);
  EXPECT_EQ(thread.uses_100ms(101), kTimer);
  EXPECT_EQ(thread.uses_100ms(100), kPerf);
  EXPECT_EQ(thread.uses_100ms(399), kPerf);
}

TEST(SwitchRate, WhereTheKernelDoesNotCountNothingIsKnown) {
  Thread thread;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(thread.uses_100ms(0), kPerf);
}

TEST(SwitchRate, AThreadIsLookedAtOnceItHasTicked) {
  SwitchRate rate;
  rate.looks(SwitchRate::kTicks - 1, kOneMs);
  EXPECT_FALSE(rate.is_due());
  rate.looks(SwitchRate::kTicks, kOneMs);
  EXPECT_TRUE(rate.is_due());
  rate.judge({}, kPerf);
  EXPECT_FALSE(rate.is_due());
}

TEST(SwitchRate, WorkThatKeepsClearOfTheKernelsTicksIsSeen) {
  SwitchRate rate;
  rate.looks(1, 5 * kOneMs);
  rate.looks(1, 300 * kOneMs);
  EXPECT_FALSE(rate.lacks_ticks(325 * kOneMs, 10 * kOneMs));
  EXPECT_TRUE(rate.lacks_ticks(326 * kOneMs, 10 * kOneMs));
  rate.looks(2, 326 * kOneMs);
  EXPECT_FALSE(rate.lacks_ticks(326 * kOneMs, 10 * kOneMs));
  rate.judge({.ran_ns = 900 * kOneMs, .waited_ns = 0, .runs = 1}, kPerf);
  EXPECT_FALSE(rate.lacks_ticks(1220 * kOneMs, 10 * kOneMs));
}

}  // namespace
}  // namespace walkabout::agent
