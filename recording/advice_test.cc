#include "recording/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walkabout::recording {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t kMs = 1'000'000;

wire::Session every(uint64_t interval_ns) {
  wire::Session session;
  session.interval_ns = interval_ns;
  return session;
}

wire::Counters counters(uint64_t samples, uint64_t throttled, uint64_t handler_ns) {
  wire::Counters c;
  c.samples = samples;
  c.attempts = samples + throttled;
  c.drops = {0, throttled, 0, 0};
  c.handler_ns = handler_ns;
  c.process_cpu_ns = 10'000 * kMs;
  return c;
}

TEST(Advice, SaysNothingOfARecordingThatIsFine) {
  EXPECT_THAT(advice(every(10 * kMs), counters(1'000, 0, 10 * kMs), false), IsEmpty());
  EXPECT_THAT(advice(every(10 * kMs), counters(1'000, 5, 10 * kMs), false), IsEmpty());
  EXPECT_THAT(advice({}, {}, false), IsEmpty());
}

TEST(Advice, NamesTheIntervalAtWhichNoTickIsLeftOut) {
  EXPECT_THAT(
      advice(every(kMs / 10), counters(820, 180, 820 * 52'000), false),
      ElementsAre(
          "18% of the ticks were left out because a walk takes 52 us, and walks get 1/6 of a thread's "
          "time (what it used is in the samples after them): use -i 500us"));
  EXPECT_THAT(advice(every(kMs), counters(900, 100, 900 * 300'000), false),
              ElementsAre(HasSubstr("use -i 2ms")));
}

TEST(Advice, WalksThatAreShortAreNotBlamed) {
  EXPECT_THAT(advice(every(10 * kMs), counters(900, 100, 900 * 10'000), false),
              ElementsAre("10% of the ticks were left out because single walks took long (the first ones "
                          "through code do), or little of a thread's stack was left (what it used is in the "
                          "samples after them)"));
  EXPECT_THAT(advice(every(10 * kMs), counters(900, 100, 900 * 500'000), false), ElementsAre(HasSubstr("single")))
      << "3 ms of 10";
  EXPECT_THAT(advice(every(10 * kMs), counters(900, 100, 900 * 900'000), false),
              ElementsAre(HasSubstr("use -i 20ms")))
      << "5.4 ms of 10";
}

TEST(Advice, AFewTicksAreNotWorthASentence) {
  EXPECT_THAT(advice(every(10 * kMs), counters(41, 3, 41 * 73'000), false), IsEmpty());
  EXPECT_THAT(advice(every(kMs), counters(91, 9, 91 * 300'000), false), IsEmpty());
}

TEST(Advice, GivesTheOracleItsOwnShare) {
  wire::Session session = every(kMs / 10);
  session.oracle = true;
  EXPECT_THAT(advice(session, counters(900, 100, 900 * 80'000), false), ElementsAre(HasSubstr("get 1/2 of")));
}

TEST(Advice, SaysWhenProfilingCostsTooMuch) {
  EXPECT_THAT(advice(every(kMs), counters(10'000, 0, 1'000 * kMs), false),
              ElementsAre("profiling took 10% of the CPU time: use -i 5ms, or --budget 2%"));
  wire::Counters brief = counters(10, 0, kMs);
  brief.process_cpu_ns = 100 * kMs;
  brief.agent_threads_ns = 20 * kMs;
  EXPECT_THAT(advice(every(10 * kMs), brief, false), IsEmpty()) << "its start is not the rate's fault";
}

TEST(Advice, LeavesARateToItsBudget) {
  EXPECT_THAT(advice(every(kMs), counters(10'000, 0, 1'000 * kMs), true), IsEmpty());
}

}  // namespace
}  // namespace walkabout::recording
