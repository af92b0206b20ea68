#include "cli/trace_tree.h"

#include <gtest/gtest.h>

#include <string>

namespace walkabout::cli {
namespace {

class TraceTree : public ::testing::Test {
 protected:
  TraceTree() { traces_.nodes.push_back({}); }
  uint32_t node(uint32_t parent, uint64_t total, uint64_t waiting = 0) {
    profile::TracedNode node;
    node.parent = parent;
    node.figures.total = total;
    node.figures.waiting = waiting;
    traces_.nodes.push_back(node);
    return static_cast<uint32_t>(traces_.nodes.size() - 1);
  }
  std::string rows(double least, size_t most = 100) {
    std::string out;
    for (const TraceTreeRow& row : trace_tree_rows(traces_, least, most))
      out += row.indentation +
             (row.hidden != 0 ? "+" + std::to_string(row.hidden) : std::to_string(row.node)) + " " +
             std::to_string(row.total) + "\n";
    return out;
  }
  profile::Traces traces_;
};

TEST_F(TraceTree, TheMostTimeComesFirst) {
  const uint32_t root = node(0, 100);
  node(root, 30);
  const uint32_t most = node(root, 60);
  node(most, 20);
  EXPECT_EQ(rows(0.01), "1 100\n├ 3 60\n│ 4 20\n└ 2 30\n");
}

TEST_F(TraceTree, WhatIsTooLittleIsOneRow) {
  const uint32_t root = node(0, 1000);
  node(root, 500);
  for (int i = 0; i < 5; ++i) node(root, 9);
  EXPECT_EQ(rows(0.01), "1 1000\n├ 2 500\n└ +5 45\n");
}

TEST_F(TraceTree, WhatWaitsIsShownHoweverShortItRan) {
  node(0, 1000);
  node(0, 1, 5000);
  EXPECT_EQ(rows(0.01), "├ 2 1\n└ 1 1000\n");
}

TEST_F(TraceTree, OfManyTheHottestOfAllBranchesAreShown) {
  const uint32_t root = node(0, 1000);
  uint32_t at = root;
  for (uint64_t i = 0; i < 10; ++i) at = node(at, 500 - 40 * i);
  node(root, 450);
  EXPECT_EQ(rows(0.01, 4), "1 1000\n├ 2 500\n│ 3 460\n└ 12 450\n");
}

TEST_F(TraceTree, ADeepOneIsCutOff) {
  uint32_t at = 0;
  for (int i = 0; i < 100'000; ++i) at = node(at, 1000);
  EXPECT_EQ(trace_tree_rows(traces_, 0.01, 40).size(), 40u);
}

}  // namespace
}  // namespace walkabout::cli
