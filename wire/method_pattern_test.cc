#include "wire/method_pattern.h"

#include <gtest/gtest.h>

namespace walkabout::wire {
namespace {

bool chooses(std::string_view pattern, std::string_view type, std::string_view method,
             std::string_view module = "Shop.dll") {
  const auto parsed = parse_method_pattern(pattern);
  EXPECT_TRUE(parsed.ok()) << parsed.message();
  const std::string name = matched_name(type, method);
  return parsed.ok() && matches(*parsed, NamedMethod{module, name, is_state_machine(type)});
}

TEST(MethodPattern, MatchesTheWholeName) {
  EXPECT_TRUE(chooses("Orders.*", "Orders.Cart", "Add"));
  EXPECT_TRUE(chooses("*.Repository.Save", "Shop.Data.Repository", "Save"));
  EXPECT_TRUE(chooses("Orders.Cart.Add", "Orders.Cart", "Add"));
  EXPECT_TRUE(chooses("Orders.C?rt.A*", "Orders.Cart", "Add"));
  EXPECT_FALSE(chooses("Cart.Add", "Orders.Cart", "Add"));
  EXPECT_FALSE(chooses("orders.*", "Orders.Cart", "Add"));
  EXPECT_FALSE(chooses("Orders.Cart.Ad", "Orders.Cart", "Add"));
  EXPECT_TRUE(chooses("*", "", "Main"));
  EXPECT_TRUE(chooses("*.Cart.*A*", "Orders.Cart.Of.Cart", "xAAb"));
}

TEST(MethodPattern, ArityIsHiddenAndNestedTypesHaveADot) {
  EXPECT_TRUE(chooses("System.Collections.Generic.List.Add", "System.Collections.Generic.List`1", "Add"));
  EXPECT_TRUE(chooses("A.Outer.Inner.*", "A.Outer`2+Inner`1", ".ctor"));
  EXPECT_TRUE(chooses("A.Outer`2+Inner.Get", "A.Outer`2+Inner`1", "Get"));
}

TEST(MethodPattern, AModuleIsNamedInFrontOfAMark) {
  EXPECT_TRUE(chooses("Shop!*", "Orders.Cart", "Add"));
  EXPECT_TRUE(chooses("Shop.dll!*", "Orders.Cart", "Add"));
  EXPECT_TRUE(chooses("S*!*.Add", "Orders.Cart", "Add"));
  EXPECT_FALSE(chooses("Other!*", "Orders.Cart", "Add"));
}

bool is_chosen(std::string_view pattern, std::vector<std::string> attributes) {
  const auto parsed = parse_method_pattern(pattern);
  EXPECT_TRUE(parsed.ok()) << parsed.message();
  const std::vector<MethodPattern> all{*parsed};
  EXPECT_TRUE(asks_for_attributes(all));
  return matches(*parsed, NamedMethod{"Shop.dll", "Orders.Cart.Add", false, attributes});
}

TEST(MethodPattern, AnAttributeChoosesMethodsThatHaveIt) {
  const std::vector<std::string> attributes{"System.ObsoleteAttribute", "Xunit.FactAttribute"};
  for (const char* pattern :
       {"[Fact]", "[FactAttribute]", "[Xunit.Fact]", "[Xunit.*]", "Shop![Fact]", "![F*]"})
    EXPECT_TRUE(is_chosen(pattern, attributes)) << pattern;
  for (const char* pattern : {"[Theory]", "[fact]", "[NUnit.Fact]", "Other![Fact]", "[act]"})
    EXPECT_FALSE(is_chosen(pattern, attributes)) << pattern;
  EXPECT_FALSE(is_chosen("[*]", {}));
  EXPECT_FALSE(chooses("[Fact]", "Orders.Cart", "Add"));
  const auto named = parse_method_pattern("Orders.*");
  EXPECT_FALSE(asks_for_attributes({&*named, 1}));
}

TEST(MethodPattern, StateMachinesAreNamedByThemselvesAlone) {
  EXPECT_FALSE(chooses("Orders.*", "Orders.Cart+<RunAsync>d__5", "MoveNext"));
  EXPECT_TRUE(chooses("Orders.*<RunAsync>*.MoveNext", "Orders.Cart+<RunAsync>d__5", "MoveNext"));
  EXPECT_TRUE(chooses("Orders.*", "Orders.Cart+<>c", "<Main>b__0_0"));
  EXPECT_FALSE(is_state_machine("Orders.Cart+<>c__DisplayClass0_0"));
  EXPECT_TRUE(is_state_machine("Orders.Cart+<Items>d__2`1"));
}

TEST(MethodPattern, WhatIsNoneIsRefused) {
  for (const char* text : {"", "!", "Shop!", "!Shop!", "!!a", "a!b!c", "Cart.Add(int)", "a\nb!c", "[]",
                           "[Fact", "[Fact]x", "[a][b]", "a(b!c", "!a\n!b"})
    EXPECT_FALSE(parse_method_pattern(text).ok()) << text;
}

TEST(MethodPattern, AListNeedsOneThatChooses) {
  const auto two = parse_method_patterns("Orders.*\n!*.get_*");
  ASSERT_TRUE(two.ok());
  ASSERT_EQ(two->size(), 2u);
  EXPECT_FALSE((*two)[0].exclude);
  EXPECT_TRUE((*two)[1].exclude);
  EXPECT_EQ((*two)[1].text, "!*.get_*");
  EXPECT_FALSE(parse_method_patterns("!*.get_*").ok());
  EXPECT_FALSE(parse_method_patterns("").ok());
}

}  // namespace
}  // namespace walkabout::wire
