// Unloads and suspensions beside one that asks: what has an id keeps it through a question.
#include "agent/linux/session/catch_up_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

namespace walkabout::agent {
namespace {

using namespace std::chrono_literals;

TEST(CatchUpGate, OutsideOfACatchUpNothingWaits) {
  CatchUpGate gate;
  gate.unloads(1);
  gate.suspends();
  gate.resumes();
  gate.frees();
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
  std::optional<CatchUpGate::Question> question(std::in_place, gate);
  gate.listed(1);
  std::thread unload([&] { gate.unloads(1), ++passed; });
  std::thread suspension([&] { gate.suspends(), ++passed; });
  std::this_thread::yield();
  EXPECT_EQ(passed, 0);
  EXPECT_TRUE(question->is_loaded(1));
  EXPECT_EQ(question->suspensions(), 0u);
  question.reset();
  unload.join();
  suspension.join();
  gate.resumes();
  question.emplace(gate);
  EXPECT_FALSE(question->is_loaded(1));
  EXPECT_EQ(question->suspensions(), 1u);
  EXPECT_TRUE(question->may_ask());
}

TEST(CatchUpGate, BehindAQuestionThatDoesNotEndNoneIsAsked) {
  CatchUpGate gate(1ms);
  gate.begin();
  const CatchUpGate::Question question(gate);
  EXPECT_TRUE(question.may_ask());
  std::thread([&gate] { gate.unloads(1); }).join();  // as if the answer waited for that
  EXPECT_FALSE(question.may_ask());
}

TEST(CatchUpGate, WithinASuspensionNothingIsAsked) {
  CatchUpGate gate(1h);
  gate.suspends();  // before the catch-up
  gate.begin();
  std::atomic<bool> asked{false};
  std::thread asks([&] {
    const CatchUpGate::Question question(gate);
    asked = true;
  });
  std::this_thread::yield();
  EXPECT_FALSE(asked);
  gate.resumes();
  asks.join();
  CatchUpGate forgets(1ms);  // the end of a suspension is not reported
  forgets.suspends();
  forgets.begin();
  EXPECT_TRUE(CatchUpGate::Question(forgets).may_ask());
  forgets.suspends();
  forgets.reset();
  EXPECT_EQ(CatchUpGate::Question(forgets).suspensions(), 2u);
}

TEST(CatchUpGate, OneQuestionStandsForManyWhileNobodyWaits) {
  CatchUpGate gate(1h);
  gate.begin();
  std::optional<CatchUpGate::Question> question(std::in_place, gate);
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
      suspended = false;
      gate.resumes();
    }
  });
  for (int i = 0; i < 2000; ++i) {
    const CatchUpGate::Question question(gate);
    const uint64_t before = question.suspensions();
    EXPECT_TRUE(question.may_ask());
    EXPECT_TRUE(!question.is_loaded(1) || there);
    EXPECT_FALSE(suspended);
    EXPECT_EQ(question.suspensions(), before);
  }
  stop = true;
  unloads.join();
  collects.join();
}

}  // namespace
}  // namespace walkabout::agent
