#include "agent/linux/calls/traced_suspension.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace walkabout::agent {
namespace {

constexpr uint64_t kPausedMethod = 77, kBoxIdentity = 5;

TEST(TracedSuspension, OnlyWhileAMethodIsPausingIsOneOfItEarly) {
  EXPECT_EQ(walkabout_trace_is_early(kPausedMethod, kBoxIdentity), 0u);
  walkabout_trace_pausing(kPausedMethod);
  EXPECT_EQ(walkabout_trace_is_early(kPausedMethod, kBoxIdentity), 1u);
  EXPECT_EQ(walkabout_trace_is_early(kPausedMethod, 0), 0u) << "a call that begins waits for nobody";
  EXPECT_EQ(walkabout_trace_is_early(kPausedMethod + 1, kBoxIdentity), 0u);
  walkabout_trace_paused(0, 1, kBoxIdentity, 0);  // a call that was not suspended
  EXPECT_EQ(walkabout_trace_is_early(kPausedMethod, kBoxIdentity), 1u);
  walkabout_trace_paused(0, 1, kBoxIdentity, kPausedMethod + 1);
  EXPECT_EQ(walkabout_trace_is_early(kPausedMethod, kBoxIdentity), 0u);
}

TEST(TracedSuspension, WhoIsEarlyWaitsUntilNoneIsPausing) {
  walkabout_trace_pausing(kPausedMethod);
  std::atomic<bool> paused{false};
  std::thread other([&paused] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    paused = true;
    walkabout_trace_paused(0, 1, kBoxIdentity, kPausedMethod + 1);
  });
  walkabout_trace_await(kPausedMethod, kBoxIdentity);
  EXPECT_TRUE(paused);
  other.join();
}

}  // namespace
}  // namespace walkabout::agent
