// From code to lines: what is certain, and what is not.
#include "profile/model/line_table.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

constexpr base::CodeId kCode(7);
constexpr uint32_t kToken = 0x06000001;
constexpr uint64_t kPrologEnd = 10;

uint64_t il(uint64_t offset) { return wire::kIlFirst + offset; }

wire::Method method() {
  wire::Method r;
  r.id = base::MethodId(1);
  r.token = kToken;
  r.assembly = base::AssemblyId(1);
  return r;
}

// IL 0, 10, 20, 30, 40 are lines 100, 101, 102, 103 and 104.
wire::SourceLines five_lines() {
  wire::SourceLines r;
  r.assembly = base::AssemblyId(1);
  r.documents = {{"/src/a.cs"}, {"/src/b.cs"}};
  r.methods = {{kToken, {0, 10, 20, 30, 40}, {100, 101, 102, 103, 104}, {1}, {}}};
  return r;
}

class LineTableTest : public ::testing::Test {
 protected:
  void map(std::vector<uint64_t> ils, std::vector<uint64_t> native) {
    table_.add(wire::IlMap{kCode, 0, std::move(ils), std::move(native)});
    table_.add(lines_);
    table_.sort();
  }
  std::vector<uint32_t> lines(uint32_t at, bool optimized = true) const {
    return table_.place(kCode, at, method(), optimized).lines;
  }
  bool sure(uint32_t at, bool optimized = true) const {
    return table_.place(kCode, at, method(), optimized).sure;
  }
  using Lines = std::vector<uint32_t>;

  wire::SourceLines lines_ = five_lines();
  LineTable table_;
};

TEST_F(LineTableTest, EachStatementOfUnoptimizedCodeIsCertain) {
  map({wire::kIlProlog, il(0), il(10), il(20), il(30), il(40), wire::kIlEpilog, wire::kIlNone},
      {0, kPrologEnd, 20, 30, 40, 50, 60, 70});
  for (uint32_t i = 0; i < 5; ++i) {
    EXPECT_EQ(lines(kPrologEnd + i * 10, false), Lines{100 + i});
    EXPECT_EQ(lines(kPrologEnd + i * 10 + 9, false), Lines{100 + i});
    EXPECT_TRUE(sure(kPrologEnd + i * 10, false));
  }
  const SourcePlace place = table_.place(kCode, 20, method(), false);
  EXPECT_EQ(place.file, "/src/a.cs");
  EXPECT_EQ(place.first, 100u) << "of its method";
  EXPECT_EQ(place.last, 104u);
  EXPECT_FALSE(sure(0, false)) << "the prolog";
  EXPECT_FALSE(sure(60, false)) << "the epilog";
  EXPECT_FALSE(sure(70, false)) << "behind the method's end";
}

TEST_F(LineTableTest, AStatementWithoutCodeOfItsOwnMakesItsNeighboursUnsure) {
  map({il(0), il(10), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40});  // 102 was inlined
  EXPECT_EQ(lines(0), Lines{100});
  EXPECT_TRUE(sure(0));
  EXPECT_EQ(lines(10), (Lines{101, 102}));
  EXPECT_EQ(lines(20), (Lines{102, 103}));
  EXPECT_FALSE(sure(10));
  EXPECT_FALSE(sure(20));
  EXPECT_EQ(lines(30), Lines{104});
  EXPECT_TRUE(sure(30));
  EXPECT_EQ(lines(10, false), (Lines{101, 102})) << "in unoptimized code it follows";
  EXPECT_EQ(lines(20, false), Lines{103});
  EXPECT_TRUE(sure(20, false));
}

// A loop's condition is IL behind its body, and code before it: then the body without code of its own is in
// what precedes the increment.
TEST_F(LineTableTest, WhatIsMissingBeforeTheNextInCodeMayBeInThis) {
  map({il(0), il(30), il(20), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40, 50});  // 101 was inlined
  EXPECT_EQ(lines(10), (Lines{101, 103}));
}

// A jump, or a constant put into a variable: what is before it and behind it is as if they were neighbours.
TEST_F(LineTableTest, LightStatementsMakeNobodyUnsure) {
  lines_.methods[0].light = {0, 0, 1, 0, 0};
  map({il(0), il(10), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40});
  EXPECT_TRUE(sure(10));
  EXPECT_TRUE(sure(20));
}
TEST_F(LineTableTest, AStepIsPartOfWhatFollows) {
  lines_.methods[0].light = {0, 0, 2, 0, 0};
  map({il(0), il(10), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40});
  EXPECT_TRUE(sure(10));
  EXPECT_EQ(lines(20), (Lines{102, 103}));
}
TEST_F(LineTableTest, BehindALightStatementOthersMayBeMissing) {
  lines_.methods[0].light = {0, 0, 1, 0, 0};
  map({il(0), il(10), il(40), wire::kIlNone}, {0, 10, 20, 30});  // 103 was inlined
  EXPECT_EQ(lines(10), (Lines{101, 103}));
  EXPECT_EQ(lines(20), (Lines{103, 104}));
}

TEST_F(LineTableTest, HiddenCodeIsOfNoLineAndMakesItsNeighboursUnsure) {
  lines_.methods[0].line[2] = 0;
  map({il(0), il(10), il(20), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40, 50});
  EXPECT_EQ(lines(20), Lines{});
  EXPECT_TRUE(sure(10)) << "it has code of its own";
}

TEST_F(LineTableTest, LinesOfTwoDocumentsAreNotOneOfThem) {
  lines_.methods[0].document = {1, 1, 2, 1, 1};
  map({il(0), il(10), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40});
  EXPECT_EQ(lines(10), Lines{101});
  EXPECT_FALSE(sure(10));
}

TEST_F(LineTableTest, ReadyToRunMethodsAreToldApartByTheirBegin) {
  table_.add(wire::IlMap{kCode, 0x1000, {il(0), wire::kIlNone}, {0, 0x10}});
  table_.add(wire::IlMap{kCode, 0x2000, {il(40), wire::kIlNone}, {0, 0x10}});
  table_.add(lines_);
  table_.sort();
  EXPECT_TRUE(lines(0xfff).empty());
  EXPECT_FALSE(sure(0x1010)) << "behind the method's end";
  EXPECT_EQ(table_.place(kCode, 0x2008, method(), false).lines, Lines{104});
}

// "One of a hundred lines" is no help, and a hostile recording could have millions.
TEST_F(LineTableTest, OfManyLinesNoneIsSaid) {
  wire::MethodLines& method = lines_.methods[0];
  method = {kToken, {}, {}, {1}, {}};
  for (uint64_t i = 0; i < 100; ++i) method.il.push_back(10 * i), method.line.push_back(i + 1);
  map({il(0), il(500), wire::kIlNone}, {0, 10, 20});
  EXPECT_TRUE(lines(0).size() > 40 && !sure(0));
  EXPECT_TRUE(lines(10).empty()) << "49 before it, 49 behind it";
  EXPECT_TRUE(lines(10, false).size() == 50);
}

TEST_F(LineTableTest, BrokenColumnsSayNothing) {
  lines_.methods = {{kToken, {0, 10}, {1}, {1}, {}}};
  map({il(0)}, {0, 1});
  EXPECT_TRUE(lines(0).empty());
  lines_.methods = {{kToken, {0}, {1}, {9}, {}}};
  map({il(0)}, {0});
  EXPECT_TRUE(lines(0).empty()) << "a document that is not there";
}

}  // namespace
}  // namespace walkabout::profile
