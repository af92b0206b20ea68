#include "cover/affected_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace walkabout::cover {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Lines 10, 11, 20 and 30: of test A.One, of A.One and the class A outside of tests, of what is unknown, of
// nothing.
TestMap some_map() {
  TestMap map;
  map.flows = {{TestFlow::Kind::kTest, "T", "A.One"},   {TestFlow::Kind::kTest, "T", "A.Two"},
               {TestFlow::Kind::kTest, "T", "B.Three"}, {TestFlow::Kind::kType, "T", "A"},
               {TestFlow::Kind::kType, "T", "Fixture"}, {TestFlow::Kind::kUnknown, "", ""}};
  map.files["/src/shop/Orders.cs"] = {"sha256:00",
                                      {{10, {0}}, {11, {0, 3}}, {20, {2, 5}}, {21, {4}}, {30, {}}}};
  return map;
}

AffectedTests of_place(const std::string& place) { return affected_tests(some_map(), {*read_place(place)}); }

TEST(AffectedTests, AreThoseOfTheLine) {
  EXPECT_THAT(of_place("Orders.cs:10").tests, ElementsAre("A.One"));
  EXPECT_THAT(of_place("shop/Orders.cs:10").notes, IsEmpty());
  EXPECT_THAT(of_place("Orders.cs:10-20").tests, ElementsAre("A.One", "A.Two", "B.Three"));
}

TEST(AffectedTests, WhatAClassNeedsOutsideOfItsTestsIsOfAllOfThem) {
  EXPECT_THAT(of_place("Orders.cs:11").tests, ElementsAre("A.One", "A.Two"));
  const AffectedTests fixture = of_place("Orders.cs:21");
  EXPECT_THAT(fixture.tests, IsEmpty());
  EXPECT_THAT(fixture.notes, ElementsAre(HasSubstr("Fixture reaches it outside of tests")));
}

TEST(AffectedTests, WhatIsUnknownIsSaid) {
  EXPECT_THAT(of_place("Orders.cs:20").notes, ElementsAre(HasSubstr("where no test is known")));
  EXPECT_THAT(of_place("Orders.cs:30").notes, ElementsAre(HasSubstr("nothing is known that reaches it")));
  const AffectedTests other = of_place("ders.cs:10");
  EXPECT_EQ(other.unknown, 1u) << "no part of a name";
  EXPECT_THAT(other.tests, IsEmpty());
}

TEST(AffectedTests, ALineWithoutCodeStandsForThoseAroundIt) {
  const AffectedTests between = of_place("Orders.cs:15");
  EXPECT_THAT(between.tests, ElementsAre("A.One", "A.Two", "B.Three"));
  EXPECT_THAT(between.notes, Contains(HasSubstr("no code of its own")));
  EXPECT_THAT(of_place("Orders.cs:1").tests, ElementsAre("A.One"));
  EXPECT_THAT(of_place("Orders.cs:99").tests, IsEmpty());
}

TEST(AffectedTests, PlacesAreFilesAndLines) {
  EXPECT_EQ(read_place("a:b.cs:3-4"), (ChangedLines{"a:b.cs", 3, 4, false}));
  for (const char* wrong :
       {"", "a.cs", ":3", "a.cs:", "a.cs:0", "a.cs:4-3", "a.cs:3-", "a.cs:x", "a.cs:3x", "a.cs:-3"})
    EXPECT_FALSE(read_place(wrong).has_value()) << wrong;
}

TEST(AffectedTests, ADiffsOldSideIsWhatChanges) {
  const auto changes = read_diff(
      "diff --git a/src/A.cs b/src/A.cs\n"
      "--- a/src/A.cs\n"
      "+++ b/src/A.cs\n"
      "@@ -3,6 +3,6 @@ class A\n"
      " context\n"
      "-old\n"
      "--- old too\n"
      "+new\n"
      " context\n"
      "+put in\n"
      "+more\n"
      " context\n"
      "-last\n"
      "\\ No newline at end of file\n"
      "--- /dev/null\n"
      "+++ b/src/New.cs\n"
      "@@ -0,0 +1,2 @@\n"
      "+a\n"
      "+b\n"
      "--- b.cs\t2026-01-01\n"
      "+++ b.cs\n"
      "@@ -9,0 +10 @@\n"
      "+x\n");
  EXPECT_THAT(changes,
              ElementsAre(ChangedLines{"src/A.cs", 4, 5, false}, ChangedLines{"src/A.cs", 6, 7, true},
                          ChangedLines{"src/A.cs", 8, 8, false}, ChangedLines{"b.cs", 9, 10, true}));
}

TEST(AffectedTests, WhatIsNoDiffChangesNothing) {
  for (const char* text :
       {"", "@@", "@@ -1 +1 @@\n-x", "--- a\n@@ -99999999999999999999,1 +1 @@\n-x\n", "+++", "---"})
    EXPECT_THAT(read_diff(text), IsEmpty()) << text;
}

TEST(TestMap, IsReadBack) {
  std::ostringstream out, again;
  ASSERT_TRUE(write_test_map(some_map(), out).ok());
  const base::Result<TestMap> read = read_test_map(out.str());
  ASSERT_TRUE(read.ok()) << read.message();
  ASSERT_TRUE(write_test_map(*read, again).ok());
  EXPECT_EQ(again.str(), out.str());
  EXPECT_THAT(out.str(), HasSubstr(R"("reaches":{"/src/shop/Orders.cs":"10-11"})"));
}

TEST(TestMap, DamagedFilesAreRefused) {
  for (const char* text :
       {"", "[]", "{}", R"({"walkabout_tests":2})",
        R"({"walkabout_tests":1,"lost":0,"tests":[{}],"files":{}})",
        R"({"walkabout_tests":1,"lost":0,"tests":[],"files":{"f":{"lines":{"1":[0]}}}})",
        R"({"walkabout_tests":1,"lost":0,"tests":[],"files":{"f":{"lines":{"x":[]}}}})",
        R"({"walkabout_tests":1,"lost":0,"tests":[{"kind":"no","assembly":"","name":""}],"files":{}})"}) {
    EXPECT_FALSE(read_test_map(text).ok()) << text;
  }
}

TEST(TestMap, FlowsInWhichNothingRanGoButForTests) {
  TestMap map = some_map();
  map.files["/src/shop/Orders.cs"].lines.erase(11);
  drop_empty_flows(&map);
  EXPECT_EQ(map.flows.size(), 5u) << "the class is gone, the second test is not";
  EXPECT_EQ(map.flows[map.files["/src/shop/Orders.cs"].lines.at(21)[0]].name, "Fixture");
}

TEST(TestMap, LinesOfTwoModulesAddUp) {
  TestMap map = some_map();
  add_file("/src/shop/Orders.cs", {"sha256:00", {{10, {2}}}}, &map);
  add_file("/src/shop/Orders.cs", {"sha256:01", {{10, {1}}}}, &map);
  EXPECT_THAT(map.files["/src/shop/Orders.cs"].lines.at(10), ElementsAre(0, 2))
      << "not those of another text";
}

}  // namespace
}  // namespace walkabout::cover
