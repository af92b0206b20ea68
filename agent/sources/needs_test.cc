#include "agent/sources/needs.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

TEST(RuntimeNeeds, CallbacksOfAllAreRequested) {
  const RuntimeNeeds all = runtime_needs({1, 2, 0, 0}, {{4, 0, 0, 0}, {1, 8, 0, 0}});
  EXPECT_EQ(all.callbacks, 5u);
  EXPECT_EQ(all.high_callbacks, 10u);
  EXPECT_TRUE(all.keywords.empty());
}

// Broken by a session for each source: an event that two want comes twice.
TEST(RuntimeNeeds, AKeywordIsInOneSessionOfTheHighestLevelThatIsWanted) {
  const RuntimeNeeds all = runtime_needs(
      {0, 0, 0x10, 5}, {{0, 0, 0x8001, 2}, {0, 0, 0x4001, 4}, {0, 0, 0x10, 4}, {0, 0, 0x20, 5}});
  const std::map<uint32_t, uint64_t> expected = {{2, 0x8000}, {4, 0x4001}, {5, 0x30}};
  EXPECT_EQ(all.keywords, expected);
}

TEST(RuntimeNeeds, ASessionWithoutAKeywordIsNotRequested) {
  const RuntimeNeeds all = runtime_needs({0, 0, 0x10, 2}, {{0, 0, 0x10, 5}});
  const std::map<uint32_t, uint64_t> expected = {{5, 0x10}};
  EXPECT_EQ(all.keywords, expected);
}

}  // namespace
}  // namespace walkabout::agent
