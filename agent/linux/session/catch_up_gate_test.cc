// Unloads and suspensions beside one that asks: what has an id keeps it through a question.
#include "agent/linux/session/catch_up_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace walkabout::agent {
namespace {

using namespace std::chrono_literals;

TEST(CatchUpGate, OutsideOfACatchUpNothingWaits) {
  CatchUpGate gate;
  gate.unloads(1);
  gate.suspends();
  gate.resumes();
  gate.frees(1);
  gate.begin();
  EXPECT_EQ(CatchUpGate::Question(gate).suspensions(), 1u);
  gate.end();
  const CatchUpGate::Question left_over(gate);
  gate.suspends();  // would wait for it
}

TEST(CatchUpGate, AModuleIsLoadedFromItsListingToItsUnload) {
  CatchUpGate gate;
  gate.begin();
  gate.unloads(2);  // out of the runtime's list already, in ours still
  {
    const CatchUpGate::Question question(gate);
    for (const clr::ModuleID module : {1, 2, 3}) gate.listed(module);
    EXPECT_TRUE(question.is_loaded(1));
    EXPECT_FALSE(question.is_loaded(2));
    EXPECT_FALSE(question.is_loaded(4));
  }
  gate.unloads(3);
  EXPECT_FALSE(CatchUpGate::Question(gate).is_loaded(3));
  gate.begin();  // of another attach
  EXPECT_FALSE(CatchUpGate::Question(gate).is_loaded(1));
}

TEST(CatchUpGate, CallbacksWaitForTheQuestionAtHand) {
  CatchUpGate gate(1h);
  gate.begin();
  std::atomic<int> passed{0};
  auto question = std::make_unique<CatchUpGate::Question>(gate);
  gate.listed(1);
  std::thread unload([&] { gate.unloads(1), ++passed; });
  std::thread suspension([&] { gate.suspends(), ++passed; });
  while (question->may_go_on()) std::this_thread::yield();
  EXPECT_EQ(passed, 0);
  EXPECT_TRUE(question->is_loaded(1));
  EXPECT_EQ(question->suspensions(), 0u);
  question.reset();
  unload.join();
  suspension.join();
  gate.resumes();
  question = std::make_unique<CatchUpGate::Question>(gate);
  EXPECT_FALSE(question->is_loaded(1));
  EXPECT_EQ(question->suspensions(), 1u);
  EXPECT_TRUE(question->may_ask());
}

TEST(CatchUpGate, BehindAQuestionThatDoesNotEndNoneIsAsked) {
  CatchUpGate gate(1ms);
  gate.begin();
  auto question = std::make_unique<CatchUpGate::Question>(gate);
  gate.listed(1);
  EXPECT_TRUE(question->may_ask());
  std::thread([&gate] { gate.unloads(1); }).join();  // as if the answer waited for that
  EXPECT_FALSE(question->may_ask());
  EXPECT_FALSE(question->may_go_on()) << "nobody waits, for all have gone on";
  EXPECT_TRUE(gate.gave_up());
  question.reset();
  question = std::make_unique<CatchUpGate::Question>(gate);
  EXPECT_FALSE(question->may_ask());
}

TEST(CatchUpGate, WhoGaveUpTriesOnceMore) {
  CatchUpGate gate(10ms);
  int runs = 0, slow = 1;
  const auto work = [&] {
    ++runs;
    const CatchUpGate::Question question(gate);
    EXPECT_TRUE(question.may_ask());
    if (slow-- > 0) std::thread([&gate] { gate.unloads(1); }).join();
  };
  gate.run(work);
  EXPECT_EQ(runs, 2);
  EXPECT_FALSE(gate.gave_up());
  gate.run(work);
  EXPECT_EQ(runs, 3);
  slow = 5;
  gate.run(work);
  EXPECT_EQ(runs, 5);
  EXPECT_TRUE(gate.gave_up());
}

// Broken by a second try that knows nothing of the first: it asked about a method that was freed meanwhile.
TEST(CatchUpGate, WhatWentInTheFirstTryIsGoneInTheSecond) {
  CatchUpGate gate(10ms);
  int runs = 0;
  gate.run([&] {
    if (++runs == 1) {
      const CatchUpGate::Question question(gate);
      gate.listed(1);
      std::thread([&gate] { gate.frees(7), gate.unloads(1); }).join();
      EXPECT_FALSE(question.is_freed(7)) << "nothing changes within a question";
    } else {
      const CatchUpGate::Question question(gate);
      gate.listed(1);
      EXPECT_TRUE(question.is_freed(7));
      EXPECT_FALSE(question.is_loaded(1));
    }
  });
  EXPECT_EQ(runs, 2);
  gate.begin();
  EXPECT_FALSE(CatchUpGate::Question(gate).is_freed(7));
}

// Broken by each callback waiting anew: a thousand times ten milliseconds.
TEST(CatchUpGate, WhoComesBehindThatWaitsNoMore) {
  CatchUpGate gate(10ms);
  gate.begin();
  const CatchUpGate::Question question(gate);
  gate.suspends();
  ASSERT_TRUE(gate.gave_up());
  for (int i = 0; i < 30'000; ++i) {  // minutes
    gate.suspends();
    gate.resumes();
  }
}

TEST(CatchUpGate, ADynamicMethodThatWasFreedIsNotAskedAbout) {
  CatchUpGate gate(1h);
  gate.begin();
  gate.frees(7);
  EXPECT_TRUE(CatchUpGate::Question(gate).is_freed(7));
  EXPECT_FALSE(CatchUpGate::Question(gate).is_freed(8));
  gate.begin();
  EXPECT_FALSE(CatchUpGate::Question(gate).is_freed(7));
}

// Broken by a collection for each method, where collections follow one another.
TEST(CatchUpGate, AListIsOfUseBeforeItsTurnEnds) {
  CatchUpGate gate(1h);
  gate.begin();
  auto question = std::make_unique<CatchUpGate::Question>(gate);
  std::thread suspension([&] { gate.suspends(); });
  while (question->may_go_on()) std::this_thread::yield();
  question->go_on_for(1h);
  EXPECT_TRUE(question->may_go_on());
  question.reset();
  suspension.join();
}

TEST(CatchUpGate, WithinASuspensionNothingIsAsked) {
  CatchUpGate gate(1h);
  gate.suspends();  // before the catch-up
  gate.begin();
  std::atomic<bool> resumed{false};
  std::thread asks([&] {
    const CatchUpGate::Question question(gate);
    EXPECT_TRUE(resumed);
  });
  std::this_thread::sleep_for(20ms);  // or it may begin to ask too late to fail
  resumed = true;
  gate.resumes();
  asks.join();
  CatchUpGate forgets(1ms);  // the end of a suspension does not come
  forgets.suspends();
  forgets.begin();
  EXPECT_FALSE(CatchUpGate::Question(forgets).may_ask());
  forgets.reset();
  forgets.begin();
  EXPECT_TRUE(CatchUpGate::Question(forgets).may_ask());
}

TEST(CatchUpGate, OneQuestionStandsForManyWhileNobodyWaits) {
  CatchUpGate gate(1h);
  gate.begin();
  auto question = std::make_unique<CatchUpGate::Question>(gate);
  EXPECT_TRUE(question->may_go_on());
  std::thread unload([&] { gate.unloads(1); });
  while (question->may_go_on()) std::this_thread::yield();
  question.reset();
  unload.join();
}

// A program that unloads and collects all the time, and one that asks all the time.
TEST(CatchUpGate, NothingGoesAwayWithinAQuestion) {
  CatchUpGate gate(1h);
  gate.begin();
  std::atomic<bool> there{true}, stop{false}, suspended{false};
  {
    const CatchUpGate::Question question(gate);
    gate.listed(1);
  }
  std::thread unloads([&] {
    gate.unloads(1);
    there = false;
  });
  std::thread collects([&] {
    while (!stop) {
      gate.suspends();
      suspended = true;
      std::this_thread::yield();
      suspended = false;
      gate.resumes();
    }
  });
  for (int i = 0; i < 2000; ++i) {
    const CatchUpGate::Question question(gate);
    const uint64_t before = question.suspensions();
    EXPECT_TRUE(question.may_ask());
    EXPECT_TRUE(!question.is_loaded(1) || there);
    std::this_thread::yield();
    EXPECT_FALSE(suspended);
    EXPECT_EQ(question.suspensions(), before);
  }
  stop = true;
  unloads.join();
  collects.join();
}

}  // namespace
}  // namespace walkabout::agent
