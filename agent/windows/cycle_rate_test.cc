#include "agent/windows/cycle_rate.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::agent {
namespace {

using Window = CycleRate::Window;

TEST(CycleRate, CyclesBecomeTime) {
  const std::vector<Window> windows{{600'000, 200'000}, {606'000, 202'000}, {660'000, 220'000}};
  const CycleRate rate = CycleRate::of(windows);
  ASSERT_TRUE(rate.known());
  EXPECT_EQ(rate.ns(3'000'000'000), 1'000'000'000u);
}

TEST(CycleRate, WindowsInWhichTheThreadDidNotRunAllTheTimeDoNotCount) {
  const std::vector<Window> windows{
      {600'000, 200'000}, {600'000, 8'000'000}, {0, 200'000}, {600'000, 200'000}, {600'000, 200'000}};
  EXPECT_EQ(CycleRate::of(windows).ns(3'000'000), 1'000'000u);
}

// As on a virtual machine whose host has others to serve.
TEST(CycleRate, MostWindowsMayHaveLostTime) {
  const std::vector<Window> windows{{500'000, 200'000}, {500'000, 200'000}, {600'000, 200'000},
                                    {480'000, 200'000}, {500'000, 200'000}, {600'000, 200'000}};
  EXPECT_EQ(CycleRate::of(windows).ns(3'000'000), 1'000'000u);
}

TEST(CycleRate, ASystemThatDoesNotCountHasNone) {
  EXPECT_FALSE(CycleRate().known());
  EXPECT_FALSE(CycleRate::of({}).known());
  const std::vector<Window> still{{0, 200'000}, {0, 200'000}, {600'000, 200'000}};
  EXPECT_FALSE(CycleRate::of(still).known());
  EXPECT_EQ(CycleRate::of(still).ns(1'000), 0u);
}

TEST(CycleRate, AWindowWithoutTimeIsNoRate) {
  const std::vector<Window> windows{{600'000, 0}};
  EXPECT_FALSE(CycleRate::of(windows).known());
}

TEST(CycleRate, AMonthOfCyclesIsExactEnough) {
  const std::vector<Window> windows{{400'000, 100'000}};
  const CycleRate rate = CycleRate::of(windows);
  constexpr uint64_t kMonth = 30ull * 86'400 * 4'000'000'000;
  EXPECT_EQ(rate.ns(kMonth + 4'000) - rate.ns(kMonth), 1'000u);
}

}  // namespace
}  // namespace walkabout::agent
