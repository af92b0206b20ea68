#include "profile/build/callers.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace walkabout::profile {
namespace {

using wire::Frame;
using wire::FrameKind;

wire::Method shop_method(uint32_t id, const char* name) {
  wire::Method method;
  method.id = base::MethodId(id);
  method.type = "Shop.Cart";
  method.method = name;
  method.module = "Shop.dll";
  return method;
}

wire::JitCode compiled(uint32_t code, uint32_t method) {
  wire::JitCode record;
  record.code = base::CodeId(code);
  record.method = base::MethodId(method);
  record.size = 100;
  return record;
}

Frame at(uint32_t code, uint32_t offset) {
  return Frame::in_code(FrameKind::kJitted, base::CodeId(code), offset);
}

struct CallersTest : ::testing::Test {
  CallersTest() {
    names.on_method(shop_method(1, "Pay"));
    names.on_method(shop_method(2, "Show"));
    names.on_jit_code(compiled(11, 1));
    names.on_jit_code(compiled(12, 1));
    names.on_jit_code(compiled(13, 2));
    for (const uint32_t index : {0u, 1u}) {
      wire::CountedMethod counted;
      counted.index = index;
      counted.type = "Shop.Item";
      counted.method = index == 0 ? "Price" : "Name";
      totals.add(counted);
    }
  }
  std::vector<std::pair<std::string, uint64_t>> callers_of(uint32_t index) {
    std::vector<CountedCalls> all = named_calls(totals);
    add_callers(callers, &names, &all);
    std::vector<std::pair<std::string, uint64_t>> found;
    for (const CountedCalls& one : all) {
      if (one.index != index) continue;
      for (const Caller& caller : one.callers) found.emplace_back(caller.name, caller.calls);
      if (one.not_told() != 0) found.emplace_back("not told", one.not_told());
    }
    return found;
  }

  recording::CallTotals totals;
  recording::CallerTotals callers;
  Names names;
};

TEST_F(CallersTest, PlacesAndVersionsOfACallerAreOneAndTheMostCallsComeFirst) {
  totals.add(wire::CallCounts{1, {0, 1}, {60, 7}});
  callers.add(
      wire::CallerCounts{1, {0, 0, 0, 1}, {at(11, 10), at(11, 20), at(13, 9), at(13, 50)}, {1, 2, 4, 7}});
  callers.add(wire::CallerCounts{2, {0, 0}, {at(12, 10), at(13, 9)}, {3, 50}});
  const std::vector<std::pair<std::string, uint64_t>> of_first = {{"Shop.Cart.Show()", 54},
                                                                  {"Shop.Cart.Pay()", 6}},
                                                      of_second = {{"Shop.Cart.Show()", 7}};
  EXPECT_EQ(callers_of(0), of_first);
  EXPECT_EQ(callers_of(1), of_second);
}

TEST_F(CallersTest, WhatIsMissingIsNotTold) {
  totals.add(wire::CallCounts{1, {0}, {10}});
  callers.add(wire::CallerCounts{1, {0}, {at(13, 9)}, {4}, 5, 1});
  const std::vector<std::pair<std::string, uint64_t>> expected = {{"Shop.Cart.Show()", 4}, {"not told", 6}};
  EXPECT_EQ(callers_of(0), expected);
  EXPECT_EQ(callers.no_room(), 5u);
  EXPECT_EQ(callers.not_found(), 1u);
}

TEST_F(CallersTest, AMethodThatNoAgentHasIsLeftOut) {
  callers.add(wire::CallerCounts{1, {wire::kMostCountedMethods}, {at(13, 9)}, {4}});
  EXPECT_TRUE(callers.calls().empty());
  EXPECT_TRUE(callers.asked());
}

TEST_F(CallersTest, WhereItIsKnownWhatWasInlinedTheCallerIsThat) {
  names.on_method(shop_method(3, "Total"));
  wire::InlineTree tree;
  tree.code = base::CodeId(13);
  tree.calls = std::string("\x03\x00\x00", 3);               // Total, in the compiled method
  tree.places = std::string("\x00\x00\x00\x08\x01\x05", 6);  // from byte 8 on
  names.on_inline_tree(tree);
  totals.add(wire::CallCounts{1, {0}, {4}});
  callers.add(wire::CallerCounts{1, {0}, {at(13, 20)}, {4}});
  const std::vector<std::pair<std::string, uint64_t>> expected = {{"Shop.Cart.Total()", 4}};
  EXPECT_EQ(callers_of(0), expected);
}

}  // namespace
}  // namespace walkabout::profile
