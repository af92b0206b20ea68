#include "agent/sources/linux/wall_account.h"

#include <gtest/gtest.h>

#include <random>

namespace walkabout::agent {
namespace {

constexpr uint64_t kPeriod = 50;
using Look = WallAccount::Look;

WallAccount begun(uint64_t now = 1000, uint64_t cpu = 10) {
  WallAccount account;
  account.begin(now, cpu, kPeriod);
  return account;
}

TEST(WallAccount, AThreadThatStandsStillHasAllItsTimeWhereItStands) {
  WallAccount account = begun();
  EXPECT_EQ(account.look({1050, 10, 0, true, true}).here, 50u);
  EXPECT_EQ(account.stood_still(1150), 100u);
  EXPECT_EQ(account.stood_still(2150), 1000u);
  EXPECT_EQ(account.running_ns(), 0);
}

TEST(WallAccount, CpuTimeIsRunningTime) {
  WallAccount account = begun();
  account.look({1050, 60, 0, true, false});
  EXPECT_EQ(account.running_ns(), 50);
  account.pay_running(30);
  account.look({1100, 110, 0, true, false});
  EXPECT_EQ(account.running_ns(), 70);
}

TEST(WallAccount, WaitingForAProcessorIsNeitherRunningNorBlocked) {
  WallAccount account = begun();
  account.look({1050, 30, 100, true, false});
  account.look({1100, 50, 130, true, false});
  EXPECT_EQ(account.running_ns(), 40);
  EXPECT_EQ(account.runnable_ns(), 30);
}

TEST(WallAccount, ShortLooksGoToWhereTheThreadIsNow) {
  WallAccount account = begun();
  account.look({1050, 10, 0, true, true});
  const auto shares = account.look({1100, 20, 0, true, true});
  EXPECT_EQ(shares.before, 0u);
  EXPECT_EQ(shares.here, 40u);
}

TEST(WallAccount, AfterALongTimeBothPlacesHaveHalf) {
  WallAccount account = begun();
  account.look({1050, 10, 0, true, true});
  const auto shares = account.look({2050, 30, 0, true, true});
  EXPECT_EQ(shares.before, 490u);
  EXPECT_EQ(shares.here, 490u);
}

TEST(WallAccount, WhoRunsNowWasBlockedWhereItWasBefore) {
  WallAccount account = begun();
  account.look({1050, 10, 0, true, true});
  const auto shares = account.look({1100, 20, 0, true, false});
  EXPECT_EQ(shares.before, 40u);
  EXPECT_EQ(shares.here, 0u);
}

TEST(WallAccount, BlockedTimeThatNoLookSawGoesToTheNextThatSeesIt) {
  WallAccount account = begun();
  account.look({1050, 40, 0, true, false});
  account.look({1100, 70, 0, true, false});
  EXPECT_EQ(account.look({1150, 80, 0, true, true}).here, 20u + 20u + 40u);
}

// As where /proc is not there: the clock is all that is known.
TEST(WallAccount, WhereTheKernelReportsNothingNoTimeIsMadeUpAsRunnable) {
  WallAccount account = begun();
  uint64_t given = 0;
  for (uint64_t i = 1; i <= 10; ++i) {
    const auto shares = account.look({1000 + 50 * i, 10 + 20 * i, 0, false, true});
    given += shares.before + shares.here;
  }
  EXPECT_EQ(account.runnable_ns(), 0);
  EXPECT_EQ(account.running_ns(), 200);
  EXPECT_EQ(given, 300u);
}

// Broken by giving it back: the next place that is seen had it.
TEST(WallAccount, TimeThatFoundNoRoomIsNeverAnotherPlaces) {
  WallAccount account = begun();
  account.wait_for_room(account.look({1050, 10, 0, true, true}).here);
  EXPECT_FALSE(account.has_nothing());
  EXPECT_EQ(account.take_waiting(), 50u) << "it stands there still";
  account.wait_for_room(50);
  const auto shares = account.look({1100, 20, 0, true, true});
  EXPECT_EQ(shares.before + shares.here, 40u);
  account.leave_place();
  EXPECT_EQ(account.take_waiting(), 0u);
  EXPECT_EQ(account.take_nowhere(), 50u);
}

// As by SIGSTOP. Broken by a pass like any other: the next lock had all of that time.
TEST(WallAccount, TheTimeOfAStoppedProcessIsNoPlaces) {
  WallAccount account = begun();
  EXPECT_EQ(account.look({1050, 10, 0, true, true}).here, 50u);
  account.interrupted(11'100, 15, 10'000);
  EXPECT_FALSE(account.was_blocked()) << "it ran since";
  EXPECT_EQ(account.running_ns(), 5);
  EXPECT_FALSE(account.has_nothing());
  EXPECT_EQ(account.look({11'150, 20, 0, true, true}).here, 45u + 45u);
  EXPECT_EQ(account.take_nowhere(), 10'000u);
}

// Broken by a wait that counts as blocked time at the interruption and again when the scheduler tells it.
TEST(WallAccount, AWaitWhileNobodyLookedCountsOnce) {
  WallAccount account = begun();
  account.look({1050, 60, 0, true, false});
  account.interrupted(2050, 260, 950);        // ran for 200
  account.look({2100, 260, 0, true, false});  // waits for a processor, since before: not in the count yet
  EXPECT_EQ(account.take_nowhere(), 0u);
  account.look({2150, 300, 700, true, false});
  EXPECT_EQ(account.runnable_ns(), 700);
  EXPECT_EQ(account.running_ns(), 50 + 200 + 40);
  EXPECT_EQ(account.take_nowhere() + account.take_blocked(), 1150u - 700 - 290);
}

TEST(WallAccount, AThreadThatRanWhileNobodyLookedHasItsCpuTime) {
  WallAccount account = begun();
  account.look({1050, 60, 0, true, false});
  account.interrupted(2050, 1040, 950);
  EXPECT_EQ(account.running_ns(), 1030);
  account.end(2060, 1050);
  EXPECT_EQ(account.take_nowhere(), 20u);
}

// Steal time: a thread that never blocked was not blocked.
TEST(WallAccount, WhatAHypervisorTookIsRunningTime) {
  WallAccount account = begun();
  for (uint64_t i = 1; i <= 10; ++i) account.look({1000 + 50 * i, 10 + 49 * i, 0, true, false});
  EXPECT_EQ(account.running_ns(), 500);
  EXPECT_EQ(account.take_blocked(), 0u);
}

TEST(WallAccount, AWaitThatIsNotOverIsTakenOffWhenItIs) {
  WallAccount account = begun();
  account.look({1050, 60, 0, true, false});
  account.look({1100, 60, 0, true, false});   // waits for a processor all the time: not in the count yet
  account.look({1150, 85, 75, true, false});  // it had waited for 75
  EXPECT_EQ(account.runnable_ns(), 75);
  EXPECT_EQ(account.running_ns(), 75);
  EXPECT_EQ(account.take_blocked(), 0u);
}

TEST(WallAccount, AtTheEndTheRestIsWhereTheThreadWas) {
  WallAccount account = begun();
  account.look({1050, 10, 0, true, true});
  EXPECT_EQ(account.end(1075, 15), 20u);
  EXPECT_EQ(account.running_ns(), 5);
}

TEST(WallAccount, WhatTicksTookAheadIsTakenOffTheRest) {
  WallAccount account = begun();
  account.look({1050, 10, 0, true, false});
  account.pay_running(7);
  account.end(1060, 12);
  account.settle();
  EXPECT_EQ(account.running_ns(), 0);
  EXPECT_EQ(account.take_blocked(), 60u - 7u);
}

TEST(WallAccount, WhatIsOwedMoreRidesFirst) {
  WallAccount account = begun();
  account.look({1050, 10, 0, true, false});
  account.look({1100, 30, 30, true, false});
  EXPECT_FALSE(account.rider(1).running);
  EXPECT_EQ(account.rider(1).ns, 30u);
  account.pay_runnable(30);
  EXPECT_TRUE(account.rider(1).running);
  EXPECT_EQ(account.rider(1).ns, 20u);
}

// Ticks come so often that each look finds its rider taken.
TEST(WallAccount, TicksTakeNoMoreThanOneCreditAhead) {
  constexpr uint64_t kCredit = 10;
  for (const uint64_t ran : {0, 1, 3, 9, 10, 30}) {
    WallAccount account = begun();
    uint64_t now = 1000, cpu = 10, waited = 0, paid = 0;
    for (int i = 0; i < 1000; ++i) {
      now += kPeriod;
      cpu += ran;
      waited += i % 3;
      account.look({now, cpu, waited, true, true});
      const WallAccount::Rider rider = account.rider(kCredit);
      paid += rider.ns;
      rider.running ? account.pay_running(rider.ns) : account.pay_runnable(rider.ns);
      ASSERT_LE(paid, cpu - 10 + waited + kCredit);
    }
    EXPECT_GE(paid + kCredit + ran, cpu - 10 + waited) << "the state that is owed less rides later";
  }
}

TEST(WallAccount, ATakenCreditIsGivenAgainAsFarAsTheThreadRan) {
  WallAccount account = begun();
  EXPECT_EQ(account.rider(10).ns, 10u);
  account.pay_running(10);
  EXPECT_EQ(account.rider(10).ns, 0u);
  account.look({1050, 14, 0, true, true});
  EXPECT_EQ(account.rider(10).ns, 4u);
}

// Whatever the looks find: no time is lost, none counts twice.
TEST(WallAccount, AllAddsUpToTheTimeThatPassed) {
  std::minstd_rand random(7);
  for (int run = 0; run < 200; ++run) {
    WallAccount account = begun();
    uint64_t now = 1000, cpu = 10, waited = 0, given = 0;
    for (int i = 0; i < 100; ++i) {
      const uint64_t gap = 1 + random() % 300;
      now += gap;
      if (account.was_blocked() && random() % 3 == 0) {
        given += account.stood_still(now);
        continue;
      }
      const uint64_t ran = random() % (gap + 1);
      cpu += ran;
      waited += random() % (gap - ran + 1);
      const auto shares = account.look({now, cpu, waited, random() % 10 != 0, random() % 2 == 0});
      given += shares.before + shares.here;
      const uint64_t paid = random() % 20;
      account.pay_running(paid);
      given += paid;
    }
    now += 33;
    given += account.end(now, cpu);
    account.settle();
    given += account.take_blocked();
    EXPECT_EQ(static_cast<int64_t>(given) + account.running_ns() + account.runnable_ns(),
              static_cast<int64_t>(now - 1000));
  }
}

}  // namespace
}  // namespace walkabout::agent
