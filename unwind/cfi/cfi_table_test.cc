#include "unwind/cfi/cfi_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_table_builder.h"
#include "unwind/cfi/cfi_test_section.h"

namespace walkabout::unwind {
namespace {

using testing::Bytes;
using testing::kText;
using testing::operator+;  // NOLINT(misc-unused-using-decls): it is used
using testing::SectionWriter;
using testing::uleb;

constexpr int kNone = -1;

CfiTable compiled(const CfiSection& section) {
  base::Result<CfiTable> table = CfiTable::compile(section);
  EXPECT_TRUE(table.ok()) << table.message();
  return std::move(*table);
}

int cfa_offset(const CfiTable& table, uint64_t pc) {
  const CompactRule* rule = table.find(pc);
  return rule == nullptr ? kNone : rule->cfa_offset();
}

TEST(CfiTable, RowsOfAFunction) {
  const SectionWriter writer = testing::one_function({0x41, 0x0e, 16, 0x42, 0x0e, 24});
  const CfiTable table = compiled(writer.section());
  EXPECT_EQ(cfa_offset(table, kText - 1), kNone);
  EXPECT_EQ(cfa_offset(table, kText), 8);
  EXPECT_EQ(cfa_offset(table, kText + 1), 16);
  EXPECT_EQ(cfa_offset(table, kText + 2), 16);
  EXPECT_EQ(cfa_offset(table, kText + 3), 24);
  EXPECT_EQ(cfa_offset(table, kText + 255), 24);
  EXPECT_EQ(cfa_offset(table, kText + 256), kNone);
  EXPECT_EQ(table.row_count(), 3u);
  EXPECT_EQ(table.malformed_fdes(), 0u);
}

TEST(CfiTable, GapsHaveNoRule) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  writer.fde(cie, kText, 10, {});
  writer.fde(cie, kText + 4096, 10, {});
  const CfiTable table = compiled(writer.indexed());
  EXPECT_EQ(cfa_offset(table, kText + 9), 8);
  for (const uint64_t at : {10, 255, 256, 2000, 4095}) EXPECT_EQ(cfa_offset(table, kText + at), kNone) << at;
  EXPECT_EQ(cfa_offset(table, kText + 4096), 8);
}

TEST(CfiTable, CodeBeforeTheFirstAndBehindTheLastFunction) {
  SectionWriter writer = testing::one_function({});
  CfiSection section = writer.section();
  const Bytes code(1024);
  section.code[0] = {code.data(), code.size(), kText - 300};
  const CfiTable table = compiled(section);
  EXPECT_EQ(table.text_begin(), kText - 300);
  EXPECT_EQ(cfa_offset(table, kText - 300), kNone);
  EXPECT_EQ(cfa_offset(table, kText - 1), kNone);
  EXPECT_EQ(cfa_offset(table, kText), 8);
  EXPECT_EQ(cfa_offset(table, kText + 256), kNone);
  EXPECT_EQ(cfa_offset(table, kText + 723), kNone);
}

TEST(CfiTable, FunctionsOutsideTheCodeAreLeftOutAndCounted) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  writer.fde(cie, kText, 16, {});
  writer.fde(cie, kText + 0x100000, 16, {});
  writer.fde(cie, kText - 0x1000, 16, {});
  CfiSection section = writer.indexed();
  const Bytes code(64);
  section.code[0] = {code.data(), code.size(), kText};
  const CfiTable table = compiled(section);
  EXPECT_EQ(table.malformed_fdes(), 2u);
  EXPECT_EQ(cfa_offset(table, kText), 8);
  EXPECT_EQ(table.text_size(), 64u);
}

// What the table says must be what the interpreter says at each pc, with the FDEs in any order, overlapping,
// empty.
TEST(CfiTable, AgreesWithTheInterpreterOnOverlappingFunctions) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    SectionWriter writer;
    const size_t cie = writer.cie();
    std::map<uint64_t, uint32_t> functions;
    for (int i = 0; i < 20; ++i) functions[random() % 600] = random() % 80;
    int32_t offset = 8;
    for (const auto& [begin, length] : functions) {
      offset += 8;
      writer.fde(cie, kText + begin, length, Bytes{0x0e} + uleb(static_cast<uint64_t>(offset)));
    }
    const CfiSection section = writer.indexed();
    const CfiTable table = compiled(section);
    for (uint64_t pc = kText; pc < kText + 700; ++pc) {
      CfiRule rule;
      const bool found = cfi_interpret(section, pc, &rule) == CfiStatus::kOk;
      ASSERT_EQ(cfa_offset(table, pc), found ? rule.cfa.offset : kNone)
          << "round " << round << ", pc " << pc - kText;
    }
  }
}

TEST(CfiTable, SortsWhatHasNoIndex) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  for (const uint64_t at : {3, 0, 2, 1}) {
    writer.fde(cie, kText + 16 * at, 16, Bytes{0x0e} + uleb(8 * at + 8));
  }
  const CfiTable table = compiled(writer.section());
  for (uint64_t i = 0; i < 64; ++i)
    EXPECT_EQ(cfa_offset(table, kText + i), static_cast<int>(8 + 8 * (i / 16)));
}

// A row at every byte: the fullest buckets there can be, found 16 at a time.
TEST(CfiTable, RowsAtEveryByte) {
  constexpr uint64_t kLength = 1000;
  Bytes instructions;
  for (uint64_t i = 1; i < kLength; ++i) instructions = instructions + Bytes{0x41, 0x0e} + uleb(8 + 8 * i);
  SectionWriter writer;
  writer.fde(writer.cie(), kText, kLength, instructions);
  const CfiTable table = compiled(writer.section());
  EXPECT_EQ(table.row_count(), kLength);
  for (uint64_t i = 0; i < kLength; ++i) ASSERT_EQ(cfa_offset(table, kText + i), static_cast<int>(8 + 8 * i));
}

TEST(CfiTable, EqualRulesAreStoredOnce) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  for (uint64_t i = 0; i < 100; ++i) {
    writer.fde(cie, kText + 32 * i, 20, {0x41, 0x0e, 16, 0x86, 2, 0x42, 0x0f, 3, 0x76, 0x78, 0x06});
  }
  const CfiTable table = compiled(writer.indexed());
  EXPECT_EQ(table.rule_count(), 4u) << "none, at entry, behind push, by expression";
  EXPECT_EQ(table.row_count(), 399u) << "three and a gap each; the last gap is the end of the text";
}

TEST(CfiTable, RulesOutliveTheSection) {
  SectionWriter writer = testing::one_function({0x0f, 3, 0x76, 0x78, 0x06, 0x10, 3, 2, 0x76, 0x70});
  const SectionWriter same = writer;
  const CfiTable table = compiled(writer.section());
  std::fill(writer.bytes().begin(), writer.bytes().end(), 0xff);
  CfiRule expected;
  ASSERT_EQ(cfi_interpret(same.section(), kText, &expected), CfiStatus::kOk);
  ASSERT_NE(table.find(kText), nullptr);
  EXPECT_EQ(table.find(kText)->kind(), CompactRule::Kind::kGeneral);
  EXPECT_TRUE(same_rule(table.find(kText)->expand(), expected));
}

TEST(CfiTable, AMalformedFunctionKeepsItsRowsBeforeTheFault) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  writer.fde(cie, kText, 32, {0x48, 0x0e, 16, 0x48, 0x3f});
  writer.fde(cie, kText + 32, 32, {});
  const CfiTable table = compiled(writer.indexed());
  EXPECT_EQ(table.malformed_fdes(), 1u);
  EXPECT_EQ(cfa_offset(table, kText + 15), 16);
  EXPECT_EQ(cfa_offset(table, kText + 16), kNone);
  EXPECT_EQ(cfa_offset(table, kText + 32), 8);
}

// The index says where a function begins even if its FDE cannot be read: the one before ends there.
TEST(CfiTable, AnUnreadableFunctionHidesTheEndOfTheOneBefore) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  writer.fde(cie, kText, 64, {});
  const size_t bad = writer.fde(cie, kText + 32, 16, {});
  writer.fde(cie, kText + 64, 16, {});
  const CfiSection section = writer.indexed();
  writer.bytes()[bad + 4] ^= 0xff;  // its CIE
  const CfiTable table = compiled(section);
  EXPECT_EQ(table.malformed_fdes(), 1u);
  EXPECT_EQ(cfa_offset(table, kText + 31), 8);
  EXPECT_EQ(cfa_offset(table, kText + 32), kNone);
  EXPECT_EQ(cfa_offset(table, kText + 63), kNone);
  EXPECT_EQ(cfa_offset(table, kText + 64), 8);
}

TEST(CfiTable, UnsortedIndexesLoseFunctionsNotSense) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  writer.fde(cie, kText, 32, {0x0e, 24});
  writer.fde(cie, kText + 32, 32, {0x0e, 32});
  CfiSection section = writer.indexed();
  uint8_t* entries = writer.header().data() + section.table_offset;
  std::swap_ranges(entries, entries + 8, entries + 8);
  const CfiTable table = compiled(section);
  EXPECT_EQ(table.malformed_fdes(), 1u);
  EXPECT_EQ(cfa_offset(table, kText), kNone);
  EXPECT_EQ(cfa_offset(table, kText + 32), 32);
}

TEST(CfiTable, NothingToCompileIsAnError) {
  SectionWriter writer;
  EXPECT_FALSE(CfiTable::compile(writer.section()).ok());
  writer.cie();
  writer.terminator();
  EXPECT_FALSE(CfiTable::compile(writer.section()).ok());
  EXPECT_FALSE(CfiTable::compile(CfiSection()).ok());
}

TEST(CfiTable, TooMuchTextIsAnError) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  writer.fde(cie, kText, 16, {});
  writer.fde(cie, kText + kMaxCfiText, 16, {});
  const base::Result<CfiTable> table = CfiTable::compile(writer.section());
  ASSERT_FALSE(table.ok());
  EXPECT_NE(table.message().find("1 GiB"), std::string::npos);
}

TEST(CfiTable, TooManyRulesAreAnError) {
  constexpr uint64_t kRules = kMaxCfiRules + 1;
  Bytes instructions;
  for (uint64_t i = 0; i < kRules; ++i) testing::append_all(instructions, Bytes{0x41, 0x0e} + uleb(i));
  SectionWriter writer;
  writer.fde(writer.cie(), kText, kRules + 16, instructions);
  const base::Result<CfiTable> table = CfiTable::compile(writer.section());
  ASSERT_FALSE(table.ok());
  EXPECT_NE(table.message().find("65,535"), std::string::npos);
}

TEST(CfiTable, MovesItsMemory) {
  CfiTable from = compiled(testing::one_function({}).section());
  const CfiTable to = std::move(from);
  EXPECT_EQ(cfa_offset(to, kText), 8);
  EXPECT_GT(to.bytes(), 0u);
}

TEST(CfiTableBuilder, TheLastRowForAPcHolds) {
  CfiTableBuilder builder(kText, 600);
  builder.add(kText, stack_rule(8));
  builder.add(kText + 300, stack_rule(16));
  builder.add(kText + 300, stack_rule(24));
  builder.add_gap(kText + 400);
  builder.add(kText + 600, stack_rule(32));  // behind the text: ignored
  const CfiTable table = std::move(*builder.finish());
  EXPECT_EQ(cfa_offset(table, kText + 299), 8);
  EXPECT_EQ(cfa_offset(table, kText + 300), 24);
  EXPECT_EQ(cfa_offset(table, kText + 400), kNone);
  EXPECT_EQ(cfa_offset(table, kText + 600), kNone);
}

}  // namespace
}  // namespace walkabout::unwind
