#include "recording/words.h"

#include <gtest/gtest.h>

namespace walkabout::recording {
namespace {

TEST(Words, AChangeOfTheRateHasBothRatesAndItsReason) {
  EXPECT_EQ(
      sentence({12'500'000, 20'000'000, 10'000'000, 23'400, 10'000}),
      "budget 1%: sampling took 2.34% of the CPU time; from 12.5 s on one sample every 20 ms of CPU time "
      "instead of every 10 ms");
}

TEST(Words, ARateFromBeforeTheRecording) {
  EXPECT_EQ(sentence({0, 400'000, 200'000, 0, 100}),
            "budget 0.01%: one sample every 400 us of CPU time instead of every 200 us from the start on");
}

TEST(Words, TicksThatDoNotFallInsideSystemCallsAreReported) {
  wire::Session session;
  EXPECT_EQ(ticks_of(session), "perf, not inside system calls");
  session.kernel_ticks = true;
  EXPECT_EQ(ticks_of(session), "perf");
  session.engine = wire::Engine::kTimer;
  EXPECT_EQ(ticks_of(session), "timer");
}

}  // namespace
}  // namespace walkabout::recording
