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
    return table_.place(kCode, at, method(), optimized ? CodeKind::kOptimized : CodeKind::kPlain).lines;
  }
  bool sure(uint32_t at, bool optimized = true) const {
    return table_.place(kCode, at, method(), optimized ? CodeKind::kOptimized : CodeKind::kPlain).sure;
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
  const SourcePlace place = table_.place(kCode, 20, method(), CodeKind::kPlain);
  EXPECT_EQ(place.file, "/src/a.cs");
  EXPECT_EQ(place.first, 100u) << "of its method";
  EXPECT_EQ(place.last, 104u);
  EXPECT_FALSE(sure(0, false)) << "the prolog";
  EXPECT_FALSE(sure(60, false)) << "the epilog";
  EXPECT_FALSE(sure(70, false)) << "behind the method's end";
}

TEST_F(LineTableTest, AStatementWithoutCodeOfItsOwnMayBePartOfTheNext) {
  map({il(0), il(10), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40});  // 102 was inlined
  EXPECT_EQ(lines(0), Lines{100});
  EXPECT_TRUE(sure(0));
  EXPECT_EQ(lines(10), Lines{101});
  EXPECT_EQ(lines(20), (Lines{102, 103}));
  EXPECT_TRUE(sure(10));
  EXPECT_FALSE(sure(20));
  EXPECT_EQ(lines(30), Lines{104});
  EXPECT_TRUE(sure(30));
  EXPECT_EQ(lines(10, false), (Lines{101, 102})) << "in unoptimized code it follows";
  EXPECT_EQ(lines(20, false), Lines{103});
  EXPECT_TRUE(sure(20, false));
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
  EXPECT_TRUE(table_.place(kCode, 20, method(), CodeKind::kOptimizedCall).sure) << "a step calls nothing";
}
// It has the code of the one before, which calls something.
TEST_F(LineTableTest, ACallIsNotOfAStep) {
  lines_.methods[0].light = {0, 0, 0, 2, 0};
  map({il(0), il(10), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40});
  EXPECT_EQ(lines(20), (Lines{102, 103}));
  const SourcePlace call = table_.place(kCode, 20, method(), CodeKind::kOptimizedCall);
  EXPECT_EQ(call.lines, Lines{102});
  EXPECT_TRUE(call.sure);
  lines_.methods[0].light[3] = 1;
  table_.add(lines_);
  EXPECT_FALSE(table_.place(kCode, 20, method(), CodeKind::kOptimizedCall).sure)
      << "one that leaves a try calls its finally";
  lines_.methods[0].light = {0, 0, 2, 2, 0};
  table_.add(lines_);
  EXPECT_EQ(table_.place(kCode, 20, method(), CodeKind::kOptimizedCall).lines, Lines{103})
      << "whoever else it may be of";
}
TEST_F(LineTableTest, InUnoptimizedCodeTooAStepCallsNothing) {
  lines_.methods[0].light = {0, 0, 4 + 2, 0, 0};
  map({il(0), il(10), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40});
  const auto call = [this] { return table_.place(kCode, 10, method(), CodeKind::kPlainCall); };
  EXPECT_EQ(lines(10, false), (Lines{101, 102}));
  EXPECT_EQ(call().lines, Lines{101});
  EXPECT_TRUE(call().sure);
  lines_.methods[0].light = {0, 2, 4, 0, 0};
  table_.add(lines_);
  EXPECT_EQ(lines(10, false), (Lines{101, 102}));
  EXPECT_EQ(call().lines, Lines{102});
  lines_.methods[0].light = {0, 2, 4 + 2, 0, 0};
  table_.add(lines_);
  EXPECT_EQ(call().lines, Lines{101}) << "it is of none of them, so nothing better is known";
}
TEST_F(LineTableTest, WhatBeginsOnTheStackFollowsTheOneBefore) {
  lines_.methods[0].light = {0, 4, 4, 0, 0};
  map({il(0), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30});
  EXPECT_EQ(lines(0), (Lines{100, 101, 102}));
  EXPECT_FALSE(sure(0));
  EXPECT_EQ(lines(10), (Lines{101, 102, 103})) << "or it is part of this";
  EXPECT_TRUE(sure(20));
}
TEST_F(LineTableTest, AStepDoesNotCountInMuchCode) {
  lines_.methods[0].light = {0, 0, 2, 0, 0};
  map({il(0), il(10), il(30), il(40), wire::kIlNone}, {0, 10, 20, 180, 190});
  EXPECT_EQ(lines(20), Lines{103});
  EXPECT_TRUE(sure(20));
}
TEST_F(LineTableTest, BehindALightStatementOthersMayBeMissing) {
  lines_.methods[0].light = {0, 0, 1, 0, 0};
  map({il(0), il(10), il(40), wire::kIlNone}, {0, 10, 20, 30});  // 103 was inlined
  EXPECT_EQ(lines(10), Lines{101});
  EXPECT_EQ(lines(20), (Lines{103, 104}));
}

// 101 branches within itself, and behind its entry is the method's end: its parts are where something else
// should follow.
TEST_F(LineTableTest, PartsOfAStatementAreWhereTheCodeBreaksOff) {
  lines_.methods[0].light = {0, 3, 0, 0, 0};
  map({il(0), il(40), wire::kIlEpilog, il(20), il(30), il(10), wire::kIlNone},
      {0, 10, 20, 200, 210, 220, 230});
  EXPECT_EQ(lines(0), (Lines{100, 101})) << "101 should follow";
  EXPECT_EQ(lines(10), (Lines{101, 104})) << "the last of the IL";
  EXPECT_FALSE(sure(10));
  EXPECT_EQ(lines(20), (Lines{101, 104})) << "the epilog";
  EXPECT_EQ(lines(60), Lines{101}) << "no epilog is so long";
  EXPECT_TRUE(sure(60));
  EXPECT_EQ(lines(200), Lines{102}) << "103 follows";
  EXPECT_EQ(lines(210), (Lines{101, 103})) << "104 should follow";
  EXPECT_EQ(lines(220), Lines{101});
  EXPECT_EQ(lines(10, false), Lines{104}) << "nothing is moved";
}
TEST_F(LineTableTest, PartsThatFollowTheirStatementAreNowhereElse) {
  lines_.methods[0].light = {0, 3, 0, 0, 0};
  map({il(0), il(10), il(20), il(40), wire::kIlEpilog, il(30), wire::kIlNone}, {0, 10, 20, 30, 40, 50, 60});
  EXPECT_TRUE(sure(10));
  EXPECT_EQ(lines(20), Lines{102}) << "though 103 should follow";
  EXPECT_EQ(lines(50), Lines{103});
}
TEST_F(LineTableTest, BehindAnEpilogNothingIsKnown) {
  map({il(0), il(10), il(20), il(30), il(40), wire::kIlEpilog, wire::kIlNone}, {0, 4, 8, 12, 16, 20, 200});
  EXPECT_EQ(lines(20), Lines{104});
  EXPECT_EQ(lines(100), Lines{});
}
TEST_F(LineTableTest, PartsOfAForeignRecordingAreBounded) {
  wire::MethodLines& method = lines_.methods[0];
  method = {kToken, {}, {}, {1}, {}};
  for (uint64_t i = 0; i < 60'000; ++i)
    method.il.push_back(i), method.line.push_back(i + 1), method.light.push_back(3);
  map({il(0), wire::kIlNone}, {0, 10});
  EXPECT_TRUE(lines(0).empty());
}

// for (…100…) { 101; 102 }, 103 and its condition 104 behind it.
TEST_F(LineTableTest, WhatIsInFrontOfALoopMayBeOfTheLoop) {
  lines_.methods[0].light = {0, 1, 0, 0, 0};
  lines_.methods[0].loops = {20, 40};
  map({il(0), il(20), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40});
  EXPECT_EQ(lines(0), (Lines{100, 102, 103}));
  EXPECT_FALSE(sure(0));
  EXPECT_TRUE(sure(10)) << "in the loop";
  EXPECT_TRUE(sure(30)) << "behind it";
  EXPECT_TRUE(sure(0, false)) << "nothing is moved";
}
TEST_F(LineTableTest, OnlyLightStatementsLieBetweenALoopAndWhatIsInFrontOfIt) {
  lines_.methods[0].loops = {20, 40};
  map({il(0), il(10), il(20), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40, 50});
  EXPECT_TRUE(sure(0));
  EXPECT_EQ(lines(10), (Lines{101, 102, 103}));
}
// for (k = 0; …), k = 0 being 101.
TEST_F(LineTableTest, MuchCodeBehindALightStatementInFrontOfALoopIsOfTheLoop) {
  lines_.methods[0].light = {0, 1, 0, 2, 0};
  lines_.methods[0].loops = {20, 40};
  map({il(0), il(10), il(20), il(30), il(40), wire::kIlNone}, {0, 10, 170, 180, 190, 200});
  EXPECT_EQ(lines(10 + 31), (Lines{101, 102})) << "its own code is first";
  EXPECT_EQ(lines(10 + 32), Lines{102});
  EXPECT_TRUE(sure(10 + 32));
  EXPECT_EQ(lines(10 + 32, false), Lines{101});
  lines_.methods[0].light[1] = 2;
  table_.add(lines_);
  EXPECT_EQ(lines(10 + 32), (Lines{101, 102})) << "a step may copy much";
  lines_.methods[0].light = {0, 1, 0, 0, 0};
  table_.add(lines_);
  EXPECT_EQ(lines(10 + 32), (Lines{102, 103}));
}
TEST_F(LineTableTest, LittleCodeInFrontOfALoopMayBeOfEither) {
  lines_.methods[0].light = {0, 1, 0, 2, 0};
  lines_.methods[0].loops = {20, 40};
  map({il(0), il(10), il(20), il(30), il(40), wire::kIlNone}, {0, 10, 169, 180, 190, 200});
  EXPECT_EQ(lines(10 + 32), (Lines{101, 102}));
}
TEST_F(LineTableTest, PartsThatMayBeInFrontOfALoopAreSeldomReached) {
  lines_.methods[0].light = {0, 1, 0, 2, 3};
  lines_.methods[0].loops = {20, 40};
  map({il(0), il(10), il(30), il(20), il(40), wire::kIlNone}, {0, 10, 190, 200, 210, 220});
  EXPECT_EQ(lines(10 + 32), (Lines{101, 102, 104}));
}
TEST_F(LineTableTest, TheCopyOfALoopsConditionInFrontOfItMayBeOfTheLoop) {
  lines_.methods[0].loops = {10, 40};
  map({il(0), il(30), il(10), il(20), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40, 50, 60});
  EXPECT_EQ(lines(10), (Lines{101, 102, 103}));
  EXPECT_TRUE(sure(40)) << "the condition at the loop's end";
}
TEST_F(LineTableTest, LoopsOfAForeignRecordingAreBounded) {
  wire::MethodLines& method = lines_.methods[0];
  method = {kToken, {}, {}, {1}, {}};
  for (uint64_t i = 0; i < 60'000; ++i)
    method.il.push_back(i), method.line.push_back(i + 1), method.light.push_back(1);
  for (uint64_t i = 0; i < 1000; ++i) method.loops.insert(method.loops.end(), {59'999, 60'000});
  map({il(0), wire::kIlNone}, {0, 10});
  EXPECT_TRUE(lines(0).empty());
  method.il.resize(10), method.line.resize(10), method.light.resize(10);
  method.loops.resize(1'000'000);
  map({il(0), wire::kIlNone}, {0, 10});
  EXPECT_EQ(lines(0), Lines{1});
}

TEST_F(LineTableTest, HiddenCodeIsOfNoLine) {
  lines_.methods[0].line[2] = 0;
  map({il(0), il(10), il(20), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40, 50});
  EXPECT_EQ(lines(20), Lines{});
  EXPECT_TRUE(sure(10)) << "it has code of its own";
}

TEST_F(LineTableTest, LinesOfTwoDocumentsAreNotOneOfThem) {
  lines_.methods[0].document = {1, 1, 2, 1, 1};
  map({il(0), il(10), il(30), il(40), wire::kIlNone}, {0, 10, 20, 30, 40});
  EXPECT_EQ(lines(20), Lines{103});
  EXPECT_FALSE(sure(20));
}

TEST_F(LineTableTest, ReadyToRunMethodsAreToldApartByTheirBegin) {
  table_.add(wire::IlMap{kCode, 0x1000, {il(0), wire::kIlNone}, {0, 0x10}});
  table_.add(wire::IlMap{kCode, 0x2000, {il(40), wire::kIlNone}, {0, 0x10}});
  table_.add(lines_);
  table_.sort();
  EXPECT_TRUE(lines(0xfff).empty());
  EXPECT_FALSE(sure(0x1010)) << "behind the method's end";
  EXPECT_EQ(table_.place(kCode, 0x2008, method(), CodeKind::kPlain).lines, Lines{104});
}

// "One of a hundred lines" is no help, and a hostile recording could have millions.
TEST_F(LineTableTest, OfManyLinesNoneIsSaid) {
  wire::MethodLines& method = lines_.methods[0];
  method = {kToken, {}, {}, {1}, {}};
  for (uint64_t i = 0; i < 100; ++i) method.il.push_back(10 * i), method.line.push_back(i + 1);
  map({il(0), il(500), wire::kIlNone}, {0, 10, 20});
  EXPECT_TRUE(lines(10).size() == 50 && !sure(10));
  EXPECT_TRUE(lines(10, false).size() == 50);
  table_ = LineTable();
  map({il(0), il(900), wire::kIlNone}, {0, 10, 20});
  EXPECT_TRUE(lines(10).empty());
}

// A hostile recording could have millions of light statements, which are no candidates.
TEST_F(LineTableTest, FarAwayNothingIsLookedFor) {
  wire::MethodLines& method = lines_.methods[0];
  const auto with_light = [&](uint64_t count) {
    method = {kToken, {}, {}, {1}, {}};
    for (uint64_t i = 0; i < count + 2; ++i) {
      method.il.push_back(i), method.line.push_back(i + 1);
      method.light.push_back(i == 0 || i == count + 1 ? 0 : 1);
    }
    table_ = LineTable();
    map({il(0), il(count + 1), wire::kIlNone}, {0, 10, 20});
  };
  with_light(400);
  EXPECT_EQ(lines(0), Lines{1});
  EXPECT_EQ(lines(0, false), Lines{1});
  EXPECT_EQ(lines(10), Lines{402});
  with_light(20'000);
  EXPECT_EQ(lines(0), Lines{1});
  EXPECT_EQ(lines(0, false), Lines{});
  EXPECT_EQ(lines(10), Lines{});
  EXPECT_EQ(table_.left_out(), 0u);
}

TEST_F(LineTableTest, FarAwayInCodeNothingIsLookedFor) {
  const auto with_unknown = [&](size_t count) {
    std::vector<uint64_t> ils(count + 2, wire::kIlNone), native;
    ils.front() = il(0), ils.back() = il(40);
    for (size_t i = 0; i < ils.size(); ++i) native.push_back(i);
    table_ = LineTable();
    map(ils, native);
  };
  with_unknown(100);
  EXPECT_EQ(lines(50, false), (Lines{100, 104}));
  with_unknown(20'000);
  EXPECT_EQ(lines(10'000, false), Lines{});
  EXPECT_EQ(lines(10'000), Lines{});
  EXPECT_EQ(lines(0), Lines{100});
}

TEST_F(LineTableTest, WhatIsBrokenOrTooLongIsCounted) {
  wire::MethodLines longest{kToken + 1, {}, {}, {1}, {}};
  for (size_t i = 0; i <= LineTable::kMostEntries; ++i) longest.il.push_back(i), longest.line.push_back(1);
  lines_.methods.push_back(longest);
  lines_.methods.push_back({kToken + 2, {0, 10}, {1}, {1}, {}});
  map({il(0), il(10)}, {5, 1});
  EXPECT_EQ(table_.left_out(), 3u) << "a map, a long method, a broken one";
  table_.add(five_lines());
  EXPECT_EQ(table_.left_out(), 1u) << "of two records of an assembly the last counts";
}

TEST_F(LineTableTest, BrokenColumnsSayNothing) {
  lines_.methods = {{kToken, {0, 10}, {1}, {1}, {}}};
  map({il(0)}, {0, 1});
  EXPECT_TRUE(lines(0).empty());
  lines_.methods = {{kToken, {0}, {1}, {9}, {}}};
  map({il(0)}, {0});
  EXPECT_TRUE(lines(0).empty()) << "a document that is not there";
  lines_.methods = {{kToken, {0}, {1}, {1}, {}}};
  lines_.documents[0].path = std::string(4097, 'x');
  map({il(0)}, {0});
  EXPECT_TRUE(lines(0).empty()) << "a path that is none";
}

TEST_F(LineTableTest, AnAwaitIsOfTheStatementBeforeWhatSuspends) {
  lines_.methods[0].line = {100, 101, 0, 103, 0};
  lines_.methods[0].awaits = {25 + 1, 0, 31 + 1, 1};
  map({}, {});
  const auto line_of = [this](uint32_t state) { return table_.place_of_await(method(), state); };
  EXPECT_EQ(line_of(0).lines, Lines{101}) << "what is hidden is the compiler's";
  EXPECT_TRUE(line_of(0).sure);
  EXPECT_TRUE(line_of(1).lines.empty());
  EXPECT_EQ(line_of(2).lines, Lines{103});
  EXPECT_EQ(line_of(3).lines, Lines{100});
  EXPECT_TRUE(line_of(4).lines.empty());
  EXPECT_TRUE(line_of(UINT32_MAX).lines.empty());
}

TEST_F(LineTableTest, AForeignRecordingsAwaitsAreBounded) {
  lines_.methods[0].line = {0, 0, 0, 0, 0};
  lines_.methods[0].awaits = {1, UINT64_MAX, 26};
  map({}, {});
  for (uint32_t state = 0; state < 3; ++state)
    EXPECT_TRUE(table_.place_of_await(method(), state).lines.empty());
  lines_.methods[0] = five_lines().methods[0];
  lines_.methods[0].awaits.assign(1'000'000, 1);
  map({}, {});
  EXPECT_TRUE(table_.place_of_await(method(), 0).lines.empty());
}

}  // namespace
}  // namespace walkabout::profile
