#include "formats/collapsed.h"

#include <gtest/gtest.h>

#include <sstream>

#include "formats/test_profile.h"
#include "formats/test_traced.h"
#include "profile/query/view.h"

namespace walkabout::formats {
namespace {

TEST(Collapsed, OneLinePerStackInMicroseconds) {
  std::ostringstream out;
  ASSERT_TRUE(write_collapsed(testing::small_profile(), out).ok());
  EXPECT_EQ(out.str(),
            "Demo.Program.Main(string[]);Demo.Sorter.Sort<int>(List<int>) 10000\n"
            "Demo.Program.Main(string[]);Demo.Sorter.Sort<int>(List<int>);qsort 25000\n"
            "weird:name \"x\" \xff 1\n");
}

TEST(Collapsed, ThreadsAsFirstFrames) {
  std::ostringstream out;
  ASSERT_TRUE(write_collapsed_with(testing::small_profile(), {.threads = true}, out).ok());
  EXPECT_EQ(out.str(),
            "main;Demo.Program.Main(string[]);Demo.Sorter.Sort<int>(List<int>) 10000\n"
            "main;Demo.Program.Main(string[]);Demo.Sorter.Sort<int>(List<int>);qsort 20000\n"
            "main;weird:name \"x\" \xff 1\n"
            "Sorter: #1;Demo.Program.Main(string[]);Demo.Sorter.Sort<int>(List<int>);qsort 5000\n");
}

TEST(Collapsed, TracedCallsWeighTheirOwnTime) {
  std::ostringstream out;
  ASSERT_TRUE(write_collapsed(testing::traced_profile(), out).ok());
  EXPECT_EQ(out.str(),
            "Shop.Cart.Checkout(int) 10000\n"
            "Shop.Cart.Checkout(int);Shop.Db.Query(string) 50000\n"
            "Shop.Orders.Load(int) 4000\n");
}

TEST(Collapsed, LeavesOutWhatRoundsToNothing) {
  profile::Profile p = testing::small_profile();
  p.samples.back().weight = 499;
  std::ostringstream out;
  ASSERT_TRUE(write_collapsed(p, out).ok());
  EXPECT_EQ(out.str().find("weird"), std::string::npos);
}

std::string collapsed(const profile::Profile& profile) {
  std::ostringstream out;
  EXPECT_TRUE(write_collapsed(profile, out).ok());
  return out.str();
}

TEST(Collapsed, OfSeveralEventsIsCpuTime) {
  EXPECT_EQ(collapsed(testing::two_events()), collapsed(testing::small_profile()));
}

TEST(Collapsed, IsOfTheEventAndValueThatIsShown) {
  const std::string stack = "Demo.Program.Main(string[]);Demo.Sorter.Sort<int>(List<int>)";
  EXPECT_EQ(collapsed(profile::viewed(testing::two_events(), {1, 0})),
            stack + " 1000000\n" + stack + ";qsort 2000000\n");
  EXPECT_EQ(collapsed(profile::viewed(testing::two_events(), {1, 1})), stack + " 4\n" + stack + ";qsort 7\n");
}

TEST(Collapsed, OfNothingIsEmpty) {
  std::ostringstream out;
  ASSERT_TRUE(write_collapsed({}, out).ok());
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace walkabout::formats
