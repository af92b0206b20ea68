#include "cover/line_coverage.h"

#include <gtest/gtest.h>

#include "cover/test_counts.h"

namespace walkabout::cover {
namespace {

constexpr char kFile[] = "/src/shop/Orders.cs";

TEST(Coverage, CountsLinesArmsAndMethods) {
  const Totals totals = totals_of(testing::some_coverage());
  EXPECT_EQ(totals.lines, 4u);
  EXPECT_EQ(totals.lines_hit, 3u);
  EXPECT_EQ(totals.arms, 5u);
  EXPECT_EQ(totals.arms_hit, 1u);
  EXPECT_EQ(totals.methods, 3u);
  EXPECT_EQ(totals.methods_hit, 2u);
}

TEST(Coverage, WhatRanInOneOfTwoRan) {
  Coverage other = testing::some_coverage();
  SourceFile& file = other.modules["Shop"].files[kFile];
  std::swap(file.methods[0], file.methods[1]);  // they have other numbers there
  for (auto& [number, line] : file.lines) line = {number == 20, 1 - line.method};
  for (Arm& arm : file.arms) arm.method = 1 - arm.method, arm.hits = arm.path == 1;
  Coverage all = testing::some_coverage();
  merge(other, &all);
  const SourceFile& merged = all.modules["Shop"].files[kFile];
  EXPECT_EQ(merged.methods, testing::some_coverage().modules["Shop"].files[kFile].methods);
  EXPECT_EQ(merged.lines.at(10).hits, 1u);
  EXPECT_EQ(merged.lines.at(20).hits, 1u);
  EXPECT_EQ(merged.lines.at(20).method, 1u);
  EXPECT_EQ(totals_of(merged).arms_hit, 3u);
}

TEST(Coverage, CountsAreAdded) {
  Coverage all = testing::some_coverage(), more = testing::some_coverage();
  all.counts = more.counts = true;
  merge(more, &all);
  EXPECT_EQ(all.modules["Shop"].files[kFile].lines.at(10).hits, 2u);
}

TEST(Coverage, LinesOfAnotherBuildAreAdded) {
  Coverage more = testing::some_coverage();
  more.modules["Shop"].files[kFile].lines[30] = {1, 0};
  more.modules["Other"] = more.modules["Shop"];
  Coverage all = testing::some_coverage();
  merge(more, &all);
  EXPECT_EQ(all.modules.size(), 2u);
  EXPECT_EQ(all.modules["Shop"].files[kFile].lines.size(), 4u);
}

TEST(Coverage, LinesOfAnotherTextAreNotAdded) {
  Coverage more = testing::some_coverage();
  more.modules["Shop"].files[kFile].checksum = "sha256:01";
  more.modules["Shop"].files[kFile].lines[30] = {1, 0};
  Coverage all = testing::some_coverage();
  EXPECT_EQ(merge(more, &all), std::vector<std::string>{kFile});
  EXPECT_EQ(all.modules["Shop"].files[kFile].lines.size(), 3u);
  more.modules["Shop"].files[kFile].checksum.clear();
  EXPECT_TRUE(merge(more, &all).empty()) << "it is not known to be another";
  EXPECT_EQ(all.modules["Shop"].files[kFile].lines.size(), 4u);
}

}  // namespace
}  // namespace walkabout::cover
