#include "agent/core/inlined_calls.h"

#include <gtest/gtest.h>

#include "clr/events/test_inlining.h"
#include "wire/inline_tree.h"

namespace walkabout::agent {
namespace {

using clr::testing::InlinedEvent;
using Numbers = std::vector<uint64_t>;

constexpr uint32_t kNoOffset = 0xffffffff;

// Ids are the FunctionIDs; none: it was refused.
std::optional<wire::InlineColumns> tree_of(const InlinedEvent& event, bool sites = true) {
  const clr::testing::Payload said = event.data();
  int asked = 0;
  const InlinedNames names{[](void* count, uint64_t function) {
                             ++*static_cast<int*>(count);
                             return function;
                           },
                           &asked};
  wire::InlineTree tree;
  if (!fill_inline_tree(said, sites, names, &tree)) {
    EXPECT_EQ(asked, 0);
    return std::nullopt;
  }
  const auto columns = wire::columns_of(tree);
  EXPECT_TRUE(columns);
  EXPECT_EQ(static_cast<size_t>(asked), columns->method.size());
  return columns;
}

uint64_t il(uint64_t offset) { return wire::kIlFirst + offset; }

// As the compiler numbers them: children before siblings, siblings backwards.
InlinedEvent chain_and_sibling() {
  return {1,
          {{1, kNoOffset, 3, 0}, {20, 6, 2, 0}, {30, 4, 0, 0}, {40, 17, 0, 1}},
          {{0, 0, 4}, {2, 2, 10}, {0, 0, 30}, {3, 3, 40}}};
}

TEST(InlineTree, CallsHaveTheirParentsAndSites) {
  const auto tree = tree_of(chain_and_sibling());
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->method, (Numbers{20, 30, 40}));
  EXPECT_EQ(tree->parent, (Numbers{0, 1, 0}));
  EXPECT_EQ(tree->site, (Numbers{7, 5, 18}));
  EXPECT_EQ(tree->native, (Numbers{10, 30, 40}));
  EXPECT_EQ(tree->node, (Numbers{2, 0, 3}));
  EXPECT_EQ(tree->il, (Numbers{il(2), wire::kIlNone, il(3)}));
}

TEST(InlineTree, SitesThatTheRuntimeDoesNotSayAreNotInvented) {
  EXPECT_EQ(tree_of(chain_and_sibling(), false)->site, (Numbers{0, 0, 0}));
  InlinedEvent event = chain_and_sibling();
  event.nodes[2].site = kNoOffset;
  EXPECT_EQ(tree_of(event)->site, (Numbers{7, 0, 18}));
}

TEST(InlineTree, CallsWithoutCodeAreLeftOut) {
  InlinedEvent event = chain_and_sibling();
  event.mappings.pop_back();
  EXPECT_EQ(tree_of(event)->method, (Numbers{20, 30})) << "20 has what it called";
  event.mappings = {{0, 0, 4}, {3, 3, 40}};
  EXPECT_EQ(tree_of(event)->method, Numbers{40});
  EXPECT_EQ(tree_of(event)->node, Numbers{1});
  event.mappings = {{0, 0, 4}};
  EXPECT_TRUE(tree_of(event)->method.empty());
}

// As .NET 8 says it.
TEST(InlineTree, ACallWithoutALinkToItIsOfAnUnknownParent) {
  InlinedEvent event = chain_and_sibling();
  event.nodes[3].sibling = 0;
  const auto tree = tree_of(event);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->method, (Numbers{20, 30, 40}));
  EXPECT_EQ(tree->parent, (Numbers{1, 1, 0})) << "its own number: nobody knows";
  EXPECT_EQ(tree->site, (Numbers{0, 5, 18}));
}

TEST(InlineTree, OfTwoMappingsOfOnePlaceTheSecondCounts) {
  InlinedEvent event = chain_and_sibling();
  event.mappings = {{0, 0, 4}, {1, 1, 10}, {2, 2, 10}, {9, 0, 20}, {8, 0, 25}};
  const auto tree = tree_of(event);
  EXPECT_EQ(tree->native, (Numbers{10, 20})) << "and the method's own code needs one alone";
  EXPECT_EQ(tree->node, (Numbers{2, 0}));
}

TEST(InlineTree, WhatCannotBeSoIsRefused) {
  InlinedEvent event = chain_and_sibling();
  event.nodes[3].sibling = 3;
  EXPECT_FALSE(tree_of(event)) << "a circle";
  event = chain_and_sibling();
  event.nodes[1].child = 9;
  EXPECT_FALSE(tree_of(event)) << "no such call";
  event = chain_and_sibling();
  event.nodes[2].child = 1;
  EXPECT_FALSE(tree_of(event)) << "a call in itself";
  event = chain_and_sibling();
  event.mappings[1].node = 4;
  EXPECT_FALSE(tree_of(event)) << "code of no call";
  event = chain_and_sibling();
  event.mappings[1].native = 0;
  EXPECT_FALSE(tree_of(event)) << "code backwards";
  EXPECT_FALSE(tree_of({})) << "not even the method itself";
}

}  // namespace
}  // namespace walkabout::agent
