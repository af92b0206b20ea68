#include "profile/build/calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace walkabout::profile {
namespace {

wire::CountedMethod declared(uint32_t index, const char* type, const char* method,
                             const char* parameters = "", const char* module = "Shop.dll") {
  wire::CountedMethod record;
  record.index = index;
  record.type = type;
  record.method = method;
  record.parameters = parameters;
  record.module = module;
  return record;
}

TEST(NamedCalls, TheMostCallsComeFirst) {
  recording::CallTotals totals;
  totals.add(declared(0, "Orders.Cart", "Add", "System.Int32"));
  totals.add(declared(1, "Orders.Cart", ".ctor"));
  totals.add(wire::CallCounts{1, {0, 1}, {2, 5}});
  const std::vector<CountedCalls> calls = named_calls(totals);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].name, "Orders.Cart.Cart()");
  EXPECT_EQ(calls[0].calls, 5u);
  EXPECT_EQ(calls[1].name, "Orders.Cart.Add(int)");
  EXPECT_EQ(calls[1].module, "Shop.dll");
}

TEST(NamedCalls, WhatPatternsAreComparedWithHasNoArguments) {
  recording::CallTotals totals;
  totals.add(declared(0, "Orders.Box<T>+Inner<K, V>", "Keep<List<T>>"));
  totals.add(declared(1, "Orders.Program+<>c", "<Main>b__0_1"));
  totals.add(declared(2, "Orders.Program", "<Main>g__Local|0_0<T>"));
  totals.add(declared(3, "", "Main"));
  std::vector<std::string> matches;
  for (const CountedCalls& one : named_calls(totals)) matches.push_back(one.match);
  std::sort(matches.begin(), matches.end());
  EXPECT_EQ(matches,
            (std::vector<std::string>{"Main", "Orders.Box.Inner.Keep", "Orders.Program.<>c.<Main>b__0_1",
                                      "Orders.Program.<Main>g__Local|0_0"}));
}

TEST(NamedCalls, TwoOfOneNameAreToldApart) {
  recording::CallTotals totals;
  totals.add(declared(0, "Shop.Cart", "Add", "Shop.Item"));
  totals.add(declared(1, "Shop.Cart", "Add", "Other.Item"));
  const std::vector<CountedCalls> calls = named_calls(totals);
  EXPECT_NE(calls[0].name, calls[1].name);
}

TEST(NamedCalls, AMethodThatWasNotDeclaredHasItsNumber) {
  recording::CallTotals totals;
  totals.add(wire::CallCounts{1, {0}, {2}});
  EXPECT_EQ(named_calls(totals)[0].name, "[method 0, not named]");
}

}  // namespace
}  // namespace walkabout::profile
