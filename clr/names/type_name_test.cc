// Names put together from parts, hostile ones included.
#include "clr/names/type_name.h"

#include <gtest/gtest.h>

#include <vector>

#include "clr/abi/element_type.h"

namespace walkabout::clr {
namespace {

using Arguments = std::vector<std::string>;

TEST(WithArguments, EachTypeTakesItsOwn) {
  EXPECT_EQ(with_arguments("Ns.List`1", Arguments{"int"}), "Ns.List<int>");
  EXPECT_EQ(with_arguments("Ns.Outer`1+Inner`2", Arguments{"int", "string", "T"}),
            "Ns.Outer<int>+Inner<string, T>");
  EXPECT_EQ(with_arguments("Ns.Outer`1+Enumerator", Arguments{"int"}), "Ns.Outer<int>+Enumerator");
}

TEST(WithArguments, MethodsHaveNoArityMark) {
  EXPECT_EQ(with_arguments("Map", Arguments{"int", "T"}), "Map<int, T>");
}

TEST(WithArguments, MissingOnesAreLeftOpenAndSuperfluousOnesAreKept) {
  EXPECT_EQ(with_arguments("D`2", {}), "D<,>");
  EXPECT_EQ(with_arguments("D`2", Arguments{"int"}), "D<int, >");
  EXPECT_EQ(with_arguments("D`1+E", Arguments{"int", "string"}), "D<int>+E<string>");
}

TEST(WithArguments, ABacktickThatIsNoArityIsPartOfTheName) {
  EXPECT_EQ(with_arguments("a`b", {}), "a`b");
  EXPECT_EQ(with_arguments("a`0", {}), "a`0");
  EXPECT_EQ(with_arguments("a`1x", {}), "a`1x");
  EXPECT_EQ(with_arguments("a`", {}), "a`");
  EXPECT_EQ(with_arguments("a`99999999999999999999", {}), "a`99999999999999999999");
}

TEST(WithArguments, LengthIsBounded) {
  const Arguments long_ones(500, std::string(300, 'x'));
  const std::string name = with_arguments("D`500", long_ones);
  EXPECT_LE(name.size(), kLongestTypeName + 3);
  EXPECT_TRUE(name.ends_with("…"));
}

TEST(ArrayOf, OuterBracketsComeFirst) {
  EXPECT_EQ(array_of("int", 1), "int[]");
  EXPECT_EQ(array_of("int", 3), "int[,,]");
  EXPECT_EQ(array_of("int[,]", 1), "int[][,]");
  EXPECT_EQ(array_of("int[][,]", 3), "int[,,][][,]");
  EXPECT_EQ(array_of("List<int[]>", 1), "List<int[]>[]");
}

TEST(ArrayOf, BracketsOfANameAreNotBracketsOfAnArray) {
  EXPECT_EQ(array_of("odd[x]", 1), "odd[x][]");
  EXPECT_EQ(array_of("]", 1), "][]");
  EXPECT_EQ(array_of("", 1), "[]");
}

TEST(ArrayOf, RankIsBounded) {
  EXPECT_EQ(array_of("int", 0), "int[]");
  EXPECT_LT(array_of("int", 0xffffffff).size(), 50u);
}

TEST(LimitLength, CutsAtAWholeCharacter) {
  std::string text = std::string(kLongestTypeName - 1, 'x') + "éé";
  limit_length(text);
  EXPECT_EQ(text, std::string(kLongestTypeName - 1, 'x') + "…");
  std::string fits(kLongestTypeName, 'x');
  limit_length(fits);
  EXPECT_EQ(fits.size(), kLongestTypeName);
}

TEST(Keywords, StandForTheirTypes) {
  EXPECT_EQ(keyword_for("System.Int32"), "int");
  EXPECT_EQ(keyword_for("System.__Canon"), "__Canon");
  EXPECT_EQ(keyword_for("My.Int32"), "My.Int32");
  EXPECT_EQ(keyword_of(kElementString), "string");
  EXPECT_EQ(keyword_of(kElementVector), "");
  EXPECT_EQ(keyword_of(0), "");
}

}  // namespace
}  // namespace walkabout::clr
