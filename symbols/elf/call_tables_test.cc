#include "symbols/elf/call_tables.h"

#include <gtest/gtest.h>

#include <string>

#include "symbols/elf/runtime_functions.h"

namespace walkabout::symbols {
namespace {

class CallTablesTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kCode = 0x1000, kCodeEnd = 0x9000, kTexts = 0x10000, kData = 0x20000;
  static constexpr uint64_t kFlags = 0xffffffffff000000;
  void text(const std::string& text) {
    words_.push_back({kTexts + texts_.size(), true});
    texts_ += text + '\0';
  }
  void code(uint64_t number) { words_.push_back({kCode + number, true}); }
  void number(uint64_t value) { words_.push_back({value, false}); }
  void qcalls(int count) {
    for (int i = 0; i < count; ++i)
      text("Native_" + std::to_string(i)), code(16 + 16 * static_cast<unsigned>(i));
  }
  void fcall(const std::string& method, uint64_t at) { number(kFlags), code(at), text(method); }
  // "name@address" of each.
  std::vector<std::string> read() const {
    std::vector<std::string> names;
    for (const NamedStart& one :
         read_call_tables(LoadedData(kData, words_, {kCode, kCodeEnd}, kTexts, texts_)))
      names.push_back(one.name + "@" + std::to_string(one.begin - kCode));
    return names;
  }
  uint64_t here() const { return kData + words_.size() * sizeof(uint64_t); }
  using Names = std::vector<std::string>;

  std::vector<LoadedData::Word> words_;
  std::string texts_;
};

TEST_F(CallTablesTest, ANameBelongsToTheFunctionBehindIt) {
  code(8);  // the end of another table
  qcalls(20);
  number(0);
  const Names names = read();
  ASSERT_EQ(names.size(), 20u);
  EXPECT_EQ(names.front(), "Native_0@16");
  EXPECT_EQ(names.back(), "Native_19@320");
}

TEST_F(CallTablesTest, AFewInARowMayBeSomethingElse) {
  qcalls(19);
  number(0);
  EXPECT_EQ(read(), Names{});
}

TEST_F(CallTablesTest, FCallsHaveTheirClassesName) {
  const uint64_t group = here();
  fcall("GetMemoryLoad", 16);
  fcall("_CollectionCount", 32);
  number(kFlags | 1);
  const uint64_t unknown = here();
  fcall("Elsewhere", 48);
  number(kFlags | 1);
  text("GC"), text("System"), words_.push_back({group, true});
  EXPECT_EQ(read(), (Names{"GC.GetMemoryLoad@16", "GC._CollectionCount@32"}))
      << "no class has the other at " << unknown;
}

TEST_F(CallTablesTest, WhatIsNoIdentifierIsNoName) {
  for (int i = 0; i < 30; ++i) text(i % 2 == 0 ? "not a name" : "9lives"), code(16);
  EXPECT_EQ(read(), Names{});
  words_.clear();
  for (int i = 0; i < 30; ++i)
    words_.push_back({kTexts + texts_.size(), true}), code(16);  // behind the texts
  EXPECT_EQ(read(), Names{});
}

TEST(RuntimeFunctionsTest, OneFunctionOfSeveralHasAllTheirNames) {
  const RuntimeFunctions functions(
      {{16, "b"}, {32, "e"}, {16, "a"}, {48, "d"}, {48, "c"}, {48, "f"}, {48, "g"}, {48, "h"}});
  EXPECT_EQ(*functions.at(16), "a or b");
  EXPECT_EQ(*functions.at(32), "e");
  EXPECT_EQ(*functions.at(48), "c or d or f or others");
  EXPECT_EQ(functions.at(17), nullptr);
  EXPECT_EQ(functions.at(64), nullptr);
  EXPECT_EQ(RuntimeFunctions().at(16), nullptr);
}

}  // namespace
}  // namespace walkabout::symbols
