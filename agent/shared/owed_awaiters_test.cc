#include "agent/shared/owed_awaiters.h"

#include <gtest/gtest.h>

#include <vector>

#include "wire/ring.h"

namespace walkabout::agent {
namespace {

using wire::Frame;

struct Owed : ::testing::Test {
  uint64_t owe(const void* who, size_t depth = 3) {
    frames.assign(depth, Frame::in_code(wire::FrameKind::kJitted, base::CodeId(7), 1));
    stack_pointers.assign(depth, 0x1000);
    registers.sp() = 0x1000;
    return owed.owe(who, {registers, memory, frames, stack_pointers, memory.lo, memory.hi});
  }
  // Each stack is found to be resumed at its second frame, and awaited by so many.
  void answer(uint32_t count = 1) {
    owed.answer([&](const unwind::WalkedStackView& stack, std::span<Frame> awaiters) {
      ++asked;
      EXPECT_EQ(stack.leaf.sp(), 0x1000u);
      for (uint32_t i = 0; i < count; ++i)
        awaiters[i] = Frame::in_code(wire::FrameKind::kJitted, base::CodeId(9), i);
      return unwind::AsyncStack{2, count, unseen};
    });
  }

  OwedAwaiters owed;
  std::vector<Frame> frames;
  std::vector<uint64_t> stack_pointers;
  unwind::Registers registers;
  unwind::Memory memory;
  uint32_t unseen = 0;
  int asked = 0, one = 0, other = 0;
};

TEST_F(Owed, OneAnswerForAllSamplesOfAThread) {
  owed.stop();
  const uint64_t ticket = owe(&one);
  EXPECT_NE(ticket, 0u);
  EXPECT_EQ(owe(&one), ticket);
  EXPECT_NE(owe(&other), ticket);
  EXPECT_FALSE(owed.is_due(ticket));
  answer();
  EXPECT_EQ(asked, 2);
  EXPECT_TRUE(owed.is_due(ticket));
  const OwedAwaiters::Answer* found = owed.find(ticket);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->joint, 2u);
  EXPECT_EQ(found->outer, 1u);
  EXPECT_EQ(found->resumed, frames[1]);
  EXPECT_EQ(found->awaiters, std::vector{Frame::in_code(wire::FrameKind::kJitted, base::CodeId(9), 0)});
  EXPECT_FALSE(found->unseen);
}

TEST_F(Owed, NextSuspensionHasTicketsOfItsOwn) {
  owed.stop();
  const uint64_t before = owe(&one);
  answer();
  owed.stop();
  unseen = 1;
  const uint64_t ticket = owe(&one);
  EXPECT_NE(ticket, before);
  EXPECT_FALSE(owed.is_due(ticket));
  answer();
  EXPECT_EQ(asked, 2);
  EXPECT_TRUE(owed.find(ticket)->unseen);
  EXPECT_NE(owed.find(before), nullptr);
}

// Its handler was switched out: the thread runs by now.
TEST_F(Owed, WhatComesTooLateHasNoAnswer) {
  owed.stop();
  answer();
  const uint64_t ticket = owe(&one);
  EXPECT_TRUE(owed.is_due(ticket));
  owed.stop();
  answer();
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(owed.find(ticket), nullptr);
}

TEST_F(Owed, WithoutRoomThereIsNoTicket) {
  owed.stop();
  EXPECT_EQ(owe(&one, OwedAwaiters::kMostFrames + 1), 0u);
  std::vector<int> threads(OwedAwaiters::kMostStacks + 1);
  for (int& thread : threads) EXPECT_EQ(owe(&thread) == 0, &thread == &threads.back());
  answer();
  owed.stop();
  EXPECT_NE(owe(&threads.back()), 0u);
}

TEST_F(Owed, AnswersThatNobodyTakesAreLost) {
  std::vector<uint64_t> tickets;
  for (int i = 0; i < 1000; ++i) {
    owed.stop();
    tickets.push_back(owe(&one));
    answer(wire::kMostAwaiters);
  }
  EXPECT_NE(owed.find(tickets.front()), nullptr);
  EXPECT_EQ(owed.find(tickets.back()), nullptr);
  owed.stop();
  const uint64_t ticket = owe(&one);
  answer(wire::kMostAwaiters);
  ASSERT_NE(owed.find(ticket), nullptr);
  EXPECT_EQ(owed.find(ticket)->awaiters.size(), size_t{wire::kMostAwaiters});
}

TEST_F(Owed, OldAnswersAreForgotten) {
  owed.stop();
  const uint64_t first = owe(&one);
  answer();
  for (int i = 0; i < 5000; ++i) {
    owed.stop();
    const uint64_t ticket = owe(&one);
    answer();
    ASSERT_NE(owed.find(ticket), nullptr);
  }
  EXPECT_EQ(owed.find(first), nullptr);
}

}  // namespace
}  // namespace walkabout::agent
