#include "agent/windows/wall_look.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

constexpr base::ThreadId kThread(7);
constexpr WallLook::Place kPlace{0x1000, 0x2000};

uint64_t here(WallLook& look, uint64_t now_ns) { return look.take({now_ns, 0}, false).here_ns; }

TEST(WallLook, ASampleStandsForTheTimeSinceTheOneBefore) {
  WallLook look;
  look.of(kThread, 100, 0);
  EXPECT_FALSE(look.is_due(149, 50));
  EXPECT_TRUE(look.is_due(150, 50));
  EXPECT_EQ(here(look, 170), 70u);
  EXPECT_FALSE(look.is_due(219, 50));
  EXPECT_TRUE(look.is_due(220, 50));
  EXPECT_EQ(here(look, 220), 50u);
}

// A thread that was seen after it was looked at would have a time without end.
TEST(WallLook, NoTimeIsCountedBeforeTheThreadsBegin) {
  WallLook look;
  look.of(kThread, 100, 0);
  EXPECT_EQ(here(look, 90), 0u);
  EXPECT_EQ(here(look, 110), 10u);
}

TEST(WallLook, AnotherThreadInTheSlotBeginsAnew) {
  WallLook look;
  look.of(kThread, 100, 50);
  look.of(kThread, 200, 60);
  EXPECT_EQ(here(look, 150), 50u) << "the same thread";
  look.of(base::ThreadId(8), 300, 5);
  EXPECT_EQ(here(look, 310), 10u);
  EXPECT_FALSE(look.ran(5));
}

TEST(WallLook, AThreadRanWhereItsCpuTimeHasMoved) {
  WallLook look;
  look.of(kThread, 100, 5);
  EXPECT_FALSE(look.ran(5));
  EXPECT_TRUE(look.ran(6));
  EXPECT_FALSE(look.ran(6));
}

// What its stops cost it moves a waiting thread's CPU time.
TEST(WallLook, AThreadWaitsWhereTwoWalksFoundItAndItUsedLittleInBetween) {
  WallLook look;
  look.of(kThread, 0, 0);
  EXPECT_FALSE(look.stood(kPlace, {1000, 900})) << "no walk before";
  EXPECT_FALSE(look.waits({2000, 900}));
  EXPECT_TRUE(look.stood(kPlace, {2000, 1149}));
  EXPECT_TRUE(look.waits({3000, 1398}));
  EXPECT_FALSE(look.waits({3000, 1399})) << "a quarter of the time";
  EXPECT_TRUE(look.stood(kPlace, {3000, 1398}));
}

TEST(WallLook, AThreadThatUsesAQuarterOfTheTimeDoesNotWait) {
  WallLook look;
  look.of(kThread, 0, 0);
  look.stood(kPlace, {1000, 0});
  EXPECT_FALSE(look.stood(kPlace, {2000, 250})) << "a loop is found where it was found before";
  EXPECT_FALSE(look.waits({3000, 250}));
}

TEST(WallLook, AThreadThatIsFoundElsewhereDoesNotWait) {
  for (const WallLook::Place other :
       {WallLook::Place{kPlace.pc + 1, kPlace.sp}, WallLook::Place{kPlace.pc, kPlace.sp - 8}}) {
    WallLook look;
    look.of(kThread, 0, 0);
    look.stood(kPlace, {1000, 0});
    EXPECT_TRUE(look.stood(kPlace, {2000, 1}));
    EXPECT_FALSE(look.stood(other, {3000, 2}));
    EXPECT_FALSE(look.waits({4000, 2}));
  }
}

TEST(WallLook, AnotherThreadInTheSlotIsNotFoundWhereTheOneBeforeWas) {
  WallLook look;
  look.of(kThread, 0, 0);
  look.stood(kPlace, {1000, 0});
  look.of(base::ThreadId(8), 1500, 0);
  EXPECT_FALSE(look.stood(kPlace, {2000, 0}));
}

TEST(WallLook, ARunningThreadThatWasPassedOverRanNoLongerThanItUsedCpuTime) {
  for (const bool running : {false, true}) {
    WallLook look;
    look.of(kThread, 100, 1000);
    look.passed_over();
    const WallLook::Taken late = look.take({200, 1007}, running);
    EXPECT_EQ(late.here_ns, running ? 7u : 100u);
    EXPECT_EQ(late.nowhere_ns, running ? 93u : 0u);
    const WallLook::Taken in_time = look.take({300, 1017}, running);
    EXPECT_EQ(in_time.here_ns, 100u) << "a sample of a few stands for all";
    EXPECT_EQ(in_time.nowhere_ns, 0u);
    look.passed_over();
    const WallLook::Taken busy = look.take({400, 1042}, running);
    EXPECT_EQ(busy.here_ns, 100u) << "a quarter of the time";
    EXPECT_EQ(busy.nowhere_ns, 0u);
  }
}

TEST(WallLook, WhatHadNoRoomGoesWithTheNext) {
  WallLook look;
  look.of(base::ThreadId(1), 100, 0);
  EXPECT_EQ(look.take({1100, 0}, false).here_ns, 1000u);
  look.put_back(400);
  EXPECT_EQ(look.take({1200, 0}, false).here_ns, 500u);
}

}  // namespace
}  // namespace walkabout::agent
