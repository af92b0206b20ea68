#include "agent/core/stack_tree.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

wire::Frame frame(uint64_t n) { return wire::Frame::at_address(wire::FrameKind::kStub, n); }

TEST(StackTree, SamePathSameNodeAndIdsInOrderOfAppearance) {
  StackTree tree;
  bool fresh = false;
  const base::StackId a = tree.child({}, frame(1), &fresh);
  EXPECT_TRUE(fresh);
  const base::StackId b = tree.child(a, frame(1), &fresh);
  EXPECT_TRUE(fresh);
  EXPECT_EQ(a.value, 1u);
  EXPECT_EQ(b.value, 2u);
  EXPECT_EQ(tree.child({}, frame(1), &fresh), a);
  EXPECT_FALSE(fresh);
  EXPECT_EQ(tree.child(a, frame(1), &fresh), b);
  EXPECT_FALSE(fresh);
}

TEST(StackTree, SurvivesGrowthWithEveryNodeInPlace) {
  StackTree tree;
  std::vector<base::StackId> ids;
  bool fresh = false;
  for (uint64_t i = 0; i < 50'000; ++i) {
    const base::StackId parent = i < 10 ? base::StackId() : ids[i / 3];
    ids.push_back(tree.child(parent, frame(i * 16), &fresh));
    ASSERT_TRUE(fresh);
  }
  for (uint64_t i = 0; i < 50'000; ++i) {
    const base::StackId parent = i < 10 ? base::StackId() : ids[i / 3];
    ASSERT_EQ(tree.child(parent, frame(i * 16), &fresh), ids[i]);
    ASSERT_FALSE(fresh);
  }
  EXPECT_EQ(tree.size(), 50'000u);
}

TEST(StackTree, AfterAClearIdsBeginAnew) {
  StackTree tree;
  bool fresh = false;
  for (const uint64_t nodes : {20'000, 10, 20'000}) {
    base::StackId last;
    for (uint64_t i = 0; i < nodes; ++i) {
      last = tree.child(last, frame(i), &fresh);
      ASSERT_TRUE(fresh);
      ASSERT_EQ(last.value, i + 1);
    }
    tree.clear();
    EXPECT_EQ(tree.size(), 0u);
  }
}

}  // namespace
}  // namespace walkabout::agent
