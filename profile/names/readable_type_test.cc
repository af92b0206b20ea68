#include "profile/names/readable_type.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

TEST(TypeName, ReadsAsACSharpProgrammerWritesIt) {
  EXPECT_EQ(short_type("System.Int32"), "int");
  EXPECT_EQ(short_type("System.String[]"), "string[]");
  EXPECT_EQ(short_type("System.Byte[,]&"), "ref byte[,]");
  EXPECT_EQ(short_type("ref System.Collections.Generic.List<int>"), "ref List<int>");
  EXPECT_EQ(short_type("delegate* unmanaged<int, System.Text.Rune>"), "delegate* unmanaged<int, Rune>");
  EXPECT_EQ(short_type("System.Void*"), "void*");
  EXPECT_EQ(short_type("System.Int32[][]"), "int[][]");
  EXPECT_EQ(short_type("System.Collections.Generic.List`1<System.String>"), "List<string>");
  EXPECT_EQ(short_type("System.Collections.Generic.List<System.String>"), "List<string>");
  EXPECT_EQ(short_type("System.Nullable`1<System.Int32>"), "int?");
  EXPECT_EQ(short_type("System.ValueTuple`2<System.Int32, System.Collections.Generic.List`1<System.Char>>"),
            "(int, List<char>)");
  EXPECT_EQ(short_type("class System.Text.StringBuilder"), "StringBuilder");
  EXPECT_EQ(short_type("T"), "T");
}

TEST(TypeName, KeepsTheNamespaceOfAnOwner) {
  EXPECT_EQ(readable_type("System.Collections.Generic.Dictionary`2<System.String,System.__Canon>"),
            "System.Collections.Generic.Dictionary<string, __Canon>");
  EXPECT_EQ(readable_type("Demo.Outer+Inner"), "Demo.Outer.Inner");
  EXPECT_EQ(readable_type("Ns.Outer<string>+Inner<Ns.Point>"), "Ns.Outer<string>.Inner<Point>");
}

TEST(TypeName, GivesEachNestedTypeItsOwnArguments) {
  EXPECT_EQ(readable_type("Demo.Map`2+Entry<System.Int32,System.String>"), "Demo.Map<int, string>.Entry");
  EXPECT_EQ(readable_type("Demo.A`1+B`1<System.Int32,System.String>"), "Demo.A<int>.B<string>");
  // Without arity marks nobody can tell: they stay where they stand.
  EXPECT_EQ(readable_type("Demo.A+B<System.Int32,System.String>"), "Demo.A.B<int, string>");
}

TEST(TypeName, NamesParametersThatAreNotKnown) {
  EXPECT_EQ(readable_type("System.Collections.Generic.List`1"), "System.Collections.Generic.List<T>");
  EXPECT_EQ(readable_type("System.Func`3"), "System.Func<T1, T2, T3>");
}

TEST(TypeName, ListsOfTypes) {
  EXPECT_EQ(short_types(""), "");
  EXPECT_EQ(short_types("System.Int32, System.Func`2<System.Int32,System.Boolean>"), "int, Func<int, bool>");
}

TEST(TypeName, BrokenNamesStayAsTheyAre) {
  EXPECT_EQ(short_type(""), "");
  EXPECT_EQ(short_type("<"), "<");
  EXPECT_EQ(short_type("A<B"), "A<B");
  EXPECT_EQ(short_type("A>B<"), "A>B<");
  EXPECT_EQ(short_type("A`x"), "A`x");
  EXPECT_EQ(short_type("A`99999999999"), "A`99999999999");
  EXPECT_EQ(short_type("]"), "]");
  EXPECT_EQ(short_type("+"), "");
  const std::string deep = std::string(5000, '<') + std::string(5000, '>');
  EXPECT_EQ(short_type("A" + deep).size(), deep.size() + 1);
  std::string nested = "X";
  for (int i = 0; i < 200; ++i) nested.insert(0, "A<").push_back('>');
  EXPECT_EQ(short_type(nested), nested);
}

TEST(ReadableType, OfAnEventItsArgumentsStandInBrackets) {
  EXPECT_EQ(readable_event_type("System.String"), "System.String");
  EXPECT_EQ(readable_event_type("System.Byte[]"), "System.Byte[]");
  EXPECT_EQ(readable_event_type("System.Int32[,][]"), "System.Int32[,][]");
  EXPECT_EQ(readable_event_type("System.Collections.Generic.List`1[System.Int32][]"),
            "System.Collections.Generic.List<int>[]");
  EXPECT_EQ(readable_event_type("A.Arguments`2[System.Int32,A.List`1[B.Line[]]]"),
            "A.Arguments<int, List<Line[]>>");
  EXPECT_EQ(readable_event_type("Entry[System.String][]"), "Entry<string>[]");
  EXPECT_EQ(readable_event_type("odd]["), "odd][");
  EXPECT_EQ(readable_event_type("demo, Version=1.0.0.0"), "demo, Version=1.0.0.0");
}

}  // namespace
}  // namespace walkabout::profile
