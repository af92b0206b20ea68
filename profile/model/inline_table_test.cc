#include "profile/model/inline_table.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

constexpr base::CodeId kInlinedCode(7);

// From 10 on code of 2 in 1, from 20 on the method's own, from 30 on code of 3, whose caller is not known.
wire::InlineColumns tree() {
  return {{101, 102, 103}, {0, 1, 3}, {5, 0, 0},
          {10, 20, 30},    {2, 0, 3}, {wire::kIlFirst, 0, wire::kIlFirst}};
}

std::vector<uint32_t> methods(const InlineTable& table, uint32_t at) {
  std::vector<uint32_t> ids;
  for (const InlinedCall& call : table.calls(kInlinedCode, at)) ids.push_back(call.method.value);
  return ids;
}

TEST(InlineTable, CodeIsOfItsCallsOutermostFirst) {
  InlineTable table;
  table.add(kInlinedCode, tree());
  EXPECT_EQ(methods(table, 9), std::vector<uint32_t>{}) << "before the first";
  EXPECT_EQ(methods(table, 10), (std::vector<uint32_t>{101, 102}));
  EXPECT_EQ(methods(table, 19), (std::vector<uint32_t>{101, 102}));
  EXPECT_EQ(methods(table, 20), std::vector<uint32_t>{}) << "the method's own";
  EXPECT_EQ(methods(table, 1000), std::vector<uint32_t>{103});
  EXPECT_TRUE(table.calls(base::CodeId(8), 10).empty());
}

TEST(InlineTable, WhatIsNotKnownIsNotInvented) {
  InlineTable table;
  table.add(kInlinedCode, tree());
  const std::vector<InlinedCall> chain = table.calls(kInlinedCode, 10);
  EXPECT_EQ(chain[0].site, 5u);
  EXPECT_EQ(chain[1].site, 0u);
  EXPECT_TRUE(chain[1].by_known);
  EXPECT_FALSE(table.calls(kInlinedCode, 30)[0].by_known);
}

}  // namespace
}  // namespace walkabout::profile
