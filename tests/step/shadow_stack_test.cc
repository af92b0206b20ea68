#include "tests/step/shadow_stack.h"

#include <gtest/gtest.h>

namespace walkabout::agent::step {
namespace {

ShadowStack two_calls() {
  ShadowStack stack;
  EXPECT_TRUE(stack.push({1000, 0xa}));
  EXPECT_TRUE(stack.push({900, 0xb}));
  return stack;
}

TEST(ShadowStack, ACallIsLeftWhenTheStackPointerRisesAboveItsWord) {
  ShadowStack stack = two_calls();
  stack.settle(900);  // at the ret
  EXPECT_EQ(stack.size(), 2u);
  stack.settle(908);  // behind it
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(stack.caller(0).ret, 0xau);
}

TEST(ShadowStack, ACaughtExceptionLeavesManyAtOnce) {
  ShadowStack stack = two_calls();
  EXPECT_TRUE(stack.push({800, 0xc}));
  stack.settle(960);
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(stack.caller(0).slot, 1000u);
}

TEST(ShadowStack, AWordWrittenAgainBelongsToTheNewCall) {
  ShadowStack stack = two_calls();
  EXPECT_TRUE(stack.push({900, 0xd}));
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_EQ(stack.caller(0).ret, 0xdu);
}

TEST(ShadowStack, OnlyTheInnermostCallIsAbandoned) {
  ShadowStack stack = two_calls();
  stack.abandon(1000);
  EXPECT_EQ(stack.size(), 2u);
  stack.abandon(900);
  EXPECT_EQ(stack.size(), 1u);
}

// It may lie above the thread's stack or below it.
TEST(ShadowStack, CallsOnTheAlternateStackAreLeftWithIt) {
  for (const uint64_t alternate : {100u, 5000u}) {
    ShadowStack stack = two_calls();
    stack.set_alternate(alternate, alternate + 200);
    EXPECT_TRUE(stack.push({alternate + 150, 0x1}));
    EXPECT_TRUE(stack.push({alternate + 100, 0x2}));
    EXPECT_EQ(stack.size(), 4u);
    stack.settle(alternate + 108);
    EXPECT_EQ(stack.size(), 3u);
    stack.settle(880);  // back on its own stack, in the innermost call
    EXPECT_EQ(stack.size(), 2u);
    EXPECT_EQ(stack.caller(0).ret, 0xbu);
  }
}

TEST(ShadowStack, ReportsWhenItIsFull) {
  ShadowStack stack;
  for (size_t i = 0; i < ShadowStack::kCapacity; ++i) ASSERT_TRUE(stack.push({(1u << 30) - i * 8, 1}));
  EXPECT_FALSE(stack.push({8, 2}));
  EXPECT_EQ(stack.size(), ShadowStack::kCapacity);
  EXPECT_EQ(stack.caller(0).ret, 1u);
}

}  // namespace
}  // namespace walkabout::agent::step
