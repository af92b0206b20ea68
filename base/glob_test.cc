#include "base/glob.h"

#include <gtest/gtest.h>

namespace walkabout::base {
namespace {

TEST(Glob, StandsForItself) {
  EXPECT_TRUE(matches_glob("Orders", "Orders"));
  EXPECT_FALSE(matches_glob("Orders", "Orders.Web"));
  EXPECT_FALSE(matches_glob("Orders.Web", "Orders"));
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_FALSE(matches_glob("", "a"));
}

TEST(Glob, AStarTakesAnyCharacters) {
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("Orders.*", "Orders.Web.Api"));
  EXPECT_TRUE(matches_glob("*.Tests", "Orders.Tests"));
  EXPECT_FALSE(matches_glob("*.Tests", "Orders.Tests.Data"));
  EXPECT_TRUE(matches_glob("*a*b*", "xxaxxabxx"));
  EXPECT_TRUE(matches_glob("*/obj/*", "/src/app/obj/x.cs"));
}

TEST(Glob, AStarTakesBackWhatItTookTooEarly) {
  EXPECT_TRUE(matches_glob("a*bc", "abxbc"));
  EXPECT_FALSE(matches_glob("a*bc", "abxb"));
}

TEST(Glob, AQuestionMarkTakesOne) {
  EXPECT_TRUE(matches_glob("v?", "v1"));
  EXPECT_FALSE(matches_glob("v?", "v"));
  EXPECT_FALSE(matches_glob("v?", "v12"));
}

TEST(Glob, ManyStarsTakeNoLongTime) {
  EXPECT_FALSE(matches_glob("*a*a*a*a*a*a*a*a*b", std::string(10'000, 'a')));
}

}  // namespace
}  // namespace walkabout::base
