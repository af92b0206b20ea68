#include "recording/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walkabout::recording {
namespace {

using ::testing::Contains;
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

Coverage all() {
  Coverage coverage;
  coverage.in_samples_ns = 10'000 * kMs;
  return coverage;
}

TEST(Advice, ReportsNothingOfARecordingThatIsFine) {
  EXPECT_THAT(advice(every(10 * kMs), counters(1'000, 0, 10 * kMs), all(), false), IsEmpty());
  EXPECT_THAT(advice(every(10 * kMs), counters(1'000, 5, 10 * kMs), all(), false), IsEmpty());
  EXPECT_THAT(advice({}, {}, all(), false), IsEmpty());
}

TEST(Advice, NamesTheIntervalAtWhichNoTickIsLeftOut) {
  EXPECT_THAT(
      advice(every(kMs / 10), counters(820, 180, 820 * 52'000), all(), false),
      ElementsAre(
          "18% of the ticks were left out because a walk takes 52 us, and walks get 1/6 of a thread's "
          "time (what it used is in the samples after them): use -i 500us"));
  EXPECT_THAT(advice(every(kMs), counters(900, 100, 900 * 300'000), all(), false),
              ElementsAre(HasSubstr("use -i 2ms")));
}

TEST(Advice, OfTracedCallsNamesWhatMakesThemCostLess) {
  Coverage traced;
  traced.add_source(wire::source_id("call"));
  EXPECT_THAT(
      advice(every(10 * kMs), counters(1'000, 0, 3'000 * kMs), traced, false),
      ElementsAre("profiling took 30% of the CPU time: trace fewer methods, or keep fewer calls one by "
                  "one (--latency)"));
}

TEST(Advice, WalksThatAreShortAreNotBlamed) {
  EXPECT_THAT(advice(every(10 * kMs), counters(900, 100, 900 * 10'000), all(), false),
              ElementsAre("10% of the ticks were left out because single walks took long (the first ones "
                          "through code do), or little of a thread's stack was left (what it used is in the "
                          "samples after them)"));
  EXPECT_THAT(advice(every(10 * kMs), counters(900, 100, 900 * 500'000), all(), false),
              ElementsAre(HasSubstr("single")))
      << "3 ms of 10";
  EXPECT_THAT(advice(every(10 * kMs), counters(900, 100, 900 * 900'000), all(), false),
              Contains(HasSubstr("use -i 20ms")))
      << "5.4 ms of 10";
}

TEST(Advice, AFewTicksAreNotWorthASentence) {
  EXPECT_THAT(advice(every(10 * kMs), counters(41, 3, 41 * 73'000), all(), false), IsEmpty());
  EXPECT_THAT(advice(every(kMs), counters(91, 9, 91 * 300'000), all(), false), IsEmpty());
}

TEST(Advice, GivesTheOracleItsOwnShare) {
  wire::Session session = every(kMs / 10);
  session.oracle = true;
  EXPECT_THAT(advice(session, counters(900, 100, 900 * 80'000), all(), false),
              ElementsAre(HasSubstr("get 1/2 of")));
}

TEST(Advice, ReportsWhenProfilingCostsTooMuch) {
  EXPECT_THAT(advice(every(kMs), counters(10'000, 0, 1'000 * kMs), all(), false),
              ElementsAre("profiling took 10% of the CPU time: use -i 5ms, or --budget 2%"));
  wire::Counters brief = counters(10, 0, kMs);
  brief.process_cpu_ns = 100 * kMs;
  brief.agent_threads_ns = 20 * kMs;
  EXPECT_THAT(advice(every(10 * kMs), brief, all(), false), IsEmpty()) << "its start is not the rate's fault";
  std::swap(brief.callbacks_ns, brief.agent_threads_ns);
  EXPECT_THAT(advice(every(10 * kMs), brief, all(), false), IsEmpty()) << "nor is what it compiles";
}

TEST(Advice, NoIntervalIsToBlameForCallbacks) {
  wire::Counters c = counters(10'000, 0, 100 * kMs);
  c.callbacks_ns = 900 * kMs;
  EXPECT_THAT(
      advice(every(kMs), c, all(), false),
      ElementsAre(
          "profiling took 10% of the CPU time, most of it to learn what the runtime compiles and loads"));
  c.handler_ns = 600 * kMs;
  c.callbacks_ns = 400 * kMs;
  EXPECT_THAT(advice(every(kMs), c, all(), false),
              ElementsAre("profiling took 10% of the CPU time: use -i 5ms, or --budget 2%"));
}

Coverage covered(uint64_t in_samples_ns, Coverage::Unsampled without_clock,
                 Coverage::Unsampled without_tick) {
  Coverage coverage;
  coverage.in_samples_ns = in_samples_ns;
  coverage.without_clock = without_clock;
  coverage.without_tick = without_tick;
  return coverage;
}

TEST(Advice, ReportsHowMuchCpuTimeIsInNoStackAndWhy) {
  wire::Counters c = counters(2'000, 0, 0);
  c.process_cpu_ns = 8'040 * kMs;
  c.agent_threads_ns = 40 * kMs;
  EXPECT_THAT(
      advice(every(kMs), c, covered(2'080 * kMs, {1'650, 5'200 * kMs}, {580, 700 * kMs}), false),
      ElementsAre("the stacks hold 2.1 s of the program's 8.0 s of CPU time (26%): 1650 threads without a "
                  "clock used 5.2 s, 580 threads too short for a tick used 0.7 s"));
  EXPECT_THAT(
      advice(every(kMs), c, covered(6'000 * kMs, {}, {1, 100 * kMs}), true),
      ElementsAre("the stacks hold 6.0 s of the program's 8.0 s of CPU time (75%): 1 thread too short for a "
                  "tick used 0.1 s"))
      << "a budget changes nothing about it";
  EXPECT_THAT(advice(every(kMs), c, covered(7'610 * kMs, {}, {9, 390 * kMs}), false), IsEmpty());
  c.process_cpu_ns = 190 * kMs;
  EXPECT_THAT(advice(every(kMs), c, covered(60 * kMs, {}, {9, 90 * kMs}), false), IsEmpty())
      << "next to nothing";
}

TEST(Coverage, IsOfTheProgramsThreads) {
  Coverage c;
  c.add_weight(10);
  c.add_end({base::ThreadId(1), 0, 5}, wire::ThreadKind::kManaged, true);
  c.add_end({base::ThreadId(2), 0, 7}, wire::ThreadKind::kNative, false);
  c.add_end({base::ThreadId(3), 0, 8, true}, wire::ThreadKind::kNative, false);
  c.add_end({base::ThreadId(4), 0, 9}, wire::ThreadKind::kAgent, false);
  EXPECT_EQ(c.in_samples_ns, 15u);
  EXPECT_EQ(c.without_tick.threads, 1u);
  EXPECT_EQ(c.without_tick.cpu_ns, 7u);
  EXPECT_EQ(c.without_clock.threads, 1u);
  EXPECT_EQ(c.without_clock.cpu_ns, 8u);
}

TEST(Advice, LeavesARateToItsBudget) {
  EXPECT_THAT(advice(every(kMs), counters(10'000, 0, 1'000 * kMs), all(), true), IsEmpty());
}

}  // namespace
}  // namespace walkabout::recording
