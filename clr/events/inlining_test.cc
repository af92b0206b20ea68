#include "clr/events/inlining.h"

#include <gtest/gtest.h>

#include "clr/events/test_inlining.h"

namespace walkabout::clr {
namespace {

using testing::InlinedEvent;
using testing::Payload;

InlinedEvent two_calls() {
  return {0x1000, {{0x1000, 0, 1, 0}, {0x2000, 7, 2, 0}, {0x3000, 9, 0, 0}}, {{0, 0, 4}, {5, 2, 20}}};
}

TEST(Inlining, AnEventHasItsCallsAndWhereTheyLie) {
  const Payload payload = two_calls().payload();
  RichDebugInfo event;
  ASSERT_TRUE(parse_rich_debug_info(payload, 0, &event));
  EXPECT_EQ(event.method_id, 0x1000u);
  InlinedCode code;
  ASSERT_TRUE(InlinedCode::parse(event.data, &code));
  ASSERT_EQ(code.nodes(), 3u);
  EXPECT_EQ(code.node(1).method, 0x2000u);
  EXPECT_EQ(code.node(1).site, 7u);
  EXPECT_EQ(code.node(1).child, 2u);
  ASSERT_EQ(code.mappings(), 2u);
  EXPECT_EQ(code.mapping(1).il, 5u);
  EXPECT_EQ(code.mapping(1).node, 2u);
  EXPECT_EQ(code.mapping(1).native, 20u);
}

TEST(Inlining, WhatIsCutOffIsRefused) {
  const Payload payload = two_calls().payload();
  RichDebugInfo event;
  for (size_t size = 0; size < payload.size(); ++size)
    EXPECT_FALSE(parse_rich_debug_info(std::span(payload).first(size), 0, &event)) << size;
  ASSERT_TRUE(parse_rich_debug_info(payload, 0, &event));
  InlinedCode code;
  for (size_t size = 0; size < event.data.size(); ++size)
    EXPECT_FALSE(InlinedCode::parse(event.data.first(size), &code)) << size;
}

TEST(Inlining, APartOfWhatIsSaidIsRefused) {
  InlinedEvent first = two_calls();
  first.chunk = 0;
  RichDebugInfo event;
  EXPECT_FALSE(parse_rich_debug_info(first.payload(), 0, &event));
  first.chunk = 0x80000001;
  EXPECT_FALSE(parse_rich_debug_info(first.payload(), 0, &event));
}

TEST(Inlining, NumbersThatOverflowAreRefused) {
  Payload data;
  testing::put<uint32_t>(data, 0xffffffff);
  testing::put<uint32_t>(data, 0xffffffff);
  InlinedCode code;
  EXPECT_FALSE(InlinedCode::parse(data, &code));
}

}  // namespace
}  // namespace walkabout::clr
