#include "recording/call_totals.h"

#include <gtest/gtest.h>

namespace walkabout::recording {
namespace {

TEST(CallTotals, CountsAddUp) {
  CallTotals totals;
  EXPECT_FALSE(totals.asked());
  totals.add(wire::CallPattern{0, "Orders.*", 2, ""});
  totals.add(wire::CountedMethod{.index = 1, .method = "Add"});
  totals.add(wire::CallCounts{1, {0, 1}, {5, 7}});
  totals.add(wire::CallCounts{2, {1}, {3}});
  EXPECT_TRUE(totals.asked());
  EXPECT_EQ(totals.calls(), (std::vector<uint64_t>{5, 10}));
  ASSERT_EQ(totals.methods().size(), 2u);
  EXPECT_EQ(totals.methods()[1].method, "Add");
  EXPECT_EQ(totals.methods()[0].index, 0u);
}

TEST(CallTotals, TheLastOneOfAMethodAndOfAPatternCounts) {
  CallTotals totals;
  totals.add(wire::CountedMethod{.index = 0, .method = "Add"});
  totals.add(wire::CountedMethod{.index = 0, .method = "Add", .problem = "no"});
  totals.add(wire::CallPattern{0, "a", 0, ""});
  totals.add(wire::CallPattern{0, "a", 4, ""});
  EXPECT_EQ(totals.methods()[0].problem, "no");
  EXPECT_EQ(totals.patterns().at(0).methods, 4u);
}

TEST(CallTotals, AnIndexThatNoAgentHasIsLeftOut) {
  CallTotals totals;
  totals.add(wire::CountedMethod{.index = UINT32_MAX});
  totals.add(wire::CallCounts{1, {uint64_t{1} << 40}, {5}});
  EXPECT_TRUE(totals.methods().empty());
}

}  // namespace
}  // namespace walkabout::recording
