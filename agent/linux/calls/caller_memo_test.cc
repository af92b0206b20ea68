#include "agent/linux/calls/caller_memo.h"

#include <gtest/gtest.h>

#include <array>

namespace walkabout::agent {
namespace {

constexpr uint64_t kPc = 0x7f00'1234, kCaller = 0x7f00'5678;
constexpr uint32_t kPair = 9, kGeneration = 3;

// A counted method's frame of four words, above it the return address.
struct CallerMemoTest : ::testing::Test {
  CallerMemoTest() { frame[4] = kCaller; }
  uint64_t at(size_t word) const { return reinterpret_cast<uint64_t>(&frame[word]); }

  std::array<uint64_t, 8> frame{};
  CallerMemo memo{};
};

TEST_F(CallerMemoTest, KnowsACallThatWasSeenAtAnyDepthOfTheStack) {
  EXPECT_EQ(memo.find(kPc, at(0), kGeneration), CallerMemo::kUnknown);
  memo.keep(kPc, at(0), at(4), kGeneration, kPair);
  EXPECT_EQ(memo.find(kPc, at(0), kGeneration), kPair);
  frame[6] = kCaller;
  frame[4] = 0;
  EXPECT_EQ(memo.find(kPc, at(2), kGeneration), kPair);
}

TEST_F(CallerMemoTest, AnotherCallerMethodOrGenerationIsNotKnown) {
  memo.keep(kPc, at(0), at(4), kGeneration, kPair);
  EXPECT_EQ(memo.find(kPc + 16, at(0), kGeneration), CallerMemo::kUnknown);
  EXPECT_EQ(memo.find(kPc, at(0), kGeneration + 1), CallerMemo::kUnknown);
  frame[4] = kCaller + 16;
  EXPECT_EQ(memo.find(kPc, at(0), kGeneration), CallerMemo::kUnknown);
}

TEST_F(CallerMemoTest, MoreThanItHoldsReplaceOneAnotherAndAreNeverMistaken) {
  for (uint32_t i = 0; i < 1000; ++i) memo.keep(kPc + i * 32, at(0), at(4), kGeneration, i);
  uint32_t known = 0;
  for (uint32_t i = 0; i < 1000; ++i) {
    const uint32_t pair = memo.find(kPc + i * 32, at(0), kGeneration);
    EXPECT_TRUE(pair == i || pair == CallerMemo::kUnknown);
    known += pair == i ? 1 : 0;
  }
  EXPECT_GT(known, 0u);
}

}  // namespace
}  // namespace walkabout::agent
