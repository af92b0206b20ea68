#include "agent/linux/handler/throttle.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

constexpr uint64_t kMs = 1'000'000;

TEST(Throttle, AWalkIsNotFollowedByAnotherWithinSixTimesItsCost) {
  Throttle throttle;
  EXPECT_FALSE(throttle.holds(0));
  throttle.walked(10 * kMs, kMs / 10, 6);
  EXPECT_TRUE(throttle.holds(10 * kMs + kMs / 2));
  EXPECT_FALSE(throttle.holds(10 * kMs + 6 * kMs / 10));
}

// Broken by a cost that counts in full: a thread whose first walk waited for memory had no second sample.
TEST(Throttle, OneDearWalkDoesNotBlindAThread) {
  Throttle throttle;
  throttle.walked(0, 150 * kMs, 6);
  EXPECT_FALSE(throttle.holds(150 * kMs + 6 * Throttle::kTrustedNs));
  throttle.walked(160 * kMs, kMs / 100, 6);
  EXPECT_FALSE(throttle.holds(161 * kMs));
}

TEST(Throttle, WalksThatAreAllDearTakeTheirShareAlone) {
  Throttle throttle;
  constexpr uint64_t kCost = 50 * kMs, kFactor = 6;
  uint64_t now = 0, walks = 0;
  for (; now < 100'000 * kMs; now += kMs) {
    if (throttle.holds(now)) continue;
    throttle.walked(now, kCost, kFactor);
    now += kCost;
    ++walks;
  }
  EXPECT_LE(walks * kCost * kFactor, now + 4 * kCost * kFactor);
}

TEST(Throttle, AnotherThreadBeginsAnew) {
  Throttle throttle;
  throttle.walked(0, 10 * kMs, 6);
  throttle.reset();
  EXPECT_FALSE(throttle.holds(0));
}

}  // namespace
}  // namespace walkabout::agent
