#include "agent/sources/walk_share.h"

#include <gtest/gtest.h>

#include <random>

namespace walkabout::agent {
namespace {

constexpr uint64_t kWalk = 10'000;
constexpr uint32_t kOneIn = 1000;
constexpr uint64_t kEarning = kWalk * kOneIn;

TEST(WalkShare, EventsThatAreRareEnoughAreAllWalked) {
  WalkShare share{};
  uint64_t now = 1;
  for (int i = 0; i < 1000; ++i, now += kEarning) {
    ASSERT_TRUE(share.takes(now, 0, 0xffffffff));
    share.walked(now, kWalk, kOneIn);
  }
}

TEST(WalkShare, WhatWasNotSpentMayBeSpentLater) {
  WalkShare share{};
  uint64_t now = 5 * kEarning;
  int walked = 0;
  for (int i = 0; i < 100; ++i, ++now) {
    if (!share.takes(now, 3 * kEarning, 0)) continue;
    share.walked(now, kWalk, kOneIn);
    ++walked;
  }
  EXPECT_EQ(walked, 4);
}

TEST(WalkShare, AStormIsWalkedForItsShare) {
  WalkShare share{};
  std::minstd_rand random(1);
  uint64_t walked = 0;
  uint64_t now = 1;
  for (; now < 1000 * kEarning; now += kEarning / 100) {
    if (!share.takes(now, 0, static_cast<uint32_t>(random() * 2))) continue;
    share.walked(now, kWalk, kOneIn);
    ++walked;
  }
  EXPECT_GT(walked, 500u) << "half of a period is waited for the chosen one";
  EXPECT_LT(walked, 800u);
}

// Broken by a walk of the first event that there is time for: then each is the one behind a pause.
TEST(WalkShare, TheEventBehindAPauseIsWalkedNoMoreOftenThanOthers) {
  WalkShare share{};
  std::minstd_rand random(2);
  uint64_t walked = 0, behind_a_pause = 0;
  uint64_t now = 1;
  for (int turn = 0; turn < 200'000; ++turn) {
    for (int event = 0; event < 10; ++event, now += 100) {
      if (!share.takes(now, 0, static_cast<uint32_t>(random() * 2))) continue;
      share.walked(now, kWalk, kOneIn);
      ++walked;
      behind_a_pause += event == 0 ? 1 : 0;
    }
    now += kEarning / 3;
  }
  ASSERT_GT(walked, 10'000u);
  EXPECT_NEAR(static_cast<double>(behind_a_pause) / static_cast<double>(walked), 0.1, 0.05);
}

TEST(WalkShare, AThreadWhoseStormIsOverIsWalkedAgainSoon) {
  WalkShare share{};
  share.walked(1, kWalk, kOneIn);
  for (uint64_t i = 0; i < 100'000; ++i) ASSERT_FALSE(share.takes(2 + i, 0, 0));
  uint64_t now = 1 + kEarning;
  ASSERT_FALSE(share.takes(now, 0, 0xffffffff)) << "many are skipped";
  EXPECT_TRUE(share.takes(now + kEarning, 0, 0xffffffff));
}

}  // namespace
}  // namespace walkabout::agent
