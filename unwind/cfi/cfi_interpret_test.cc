#include "unwind/cfi/cfi_interpret.h"

#include <gtest/gtest.h>

#include "unwind/cfi/cfi_test_section.h"

namespace walkabout::unwind {
namespace {

using testing::append;
using testing::Bytes;
using testing::CieShape;
using testing::kText;
using testing::one_function;
using testing::operator+;  // NOLINT(misc-unused-using-decls): it is used
using testing::SectionWriter;
using testing::sleb;
using testing::uleb;

// Whether the rule for kText + offset can be had, and which.
struct Found {
  CfiStatus status;
  CfiRule rule;
};

Found at(const SectionWriter& writer, uint64_t offset) {
  Found found;
  found.status = cfi_interpret(writer.section(), kText + offset, &found.rule);
  return found;
}

// The rule at the end of a function with these instructions.
CfiRule rule_of(const Bytes& instructions, const CieShape& shape = {}) {
  const Found found = at(one_function(instructions, shape), 255);
  EXPECT_EQ(found.status, CfiStatus::kOk);
  return found.rule;
}

bool malformed(const Bytes& instructions, const CieShape& shape = {}) {
  return at(one_function(instructions, shape), 0).status == CfiStatus::kMalformed;
}

RegisterRule rule_of_register(const Bytes& instructions, Reg reg) {
  return rule_of(instructions).registers[reg];
}

void expect_rule(const RegisterRule& rule, RuleKind kind, int32_t value) {
  EXPECT_EQ(rule.kind, kind);
  EXPECT_EQ(rule.value, value);
}

TEST(CfiInterpret, TheCieGivesWhatHoldsFirst) {
  const CfiRule rule = rule_of({});
  EXPECT_EQ(rule.cfa.kind, CfaKind::kRegister);
  EXPECT_EQ(rule.cfa.reg, kRsp);
  EXPECT_EQ(rule.cfa.offset, 8);
  expect_rule(rule.registers[kRip], RuleKind::kAtCfa, -8);
  expect_rule(rule.registers[kRbx], RuleKind::kSame, 0);
  EXPECT_FALSE(rule.signal_frame);
  EXPECT_TRUE(rule_of({}, {.augmentation = "zRS"}).signal_frame);
}

TEST(CfiInterpret, AdvancesSplitRows) {
  Bytes loc4 = {0x04};
  append<uint32_t>(loc4, 30);
  Bytes loc8 = {0x1d};
  append<uint64_t>(loc8, 40);
  // To 1, 3, 10, 20 (two bytes), 50, 90; each sets another CFA offset.
  const SectionWriter writer =
      one_function(Bytes{0x41, 0x0e, 16} + Bytes{0x42, 0x0e, 24} + Bytes{0x02, 7, 0x0e, 32} +
                   Bytes{0x03, 10, 0, 0x0e, 40} + loc4 + Bytes{0x0e, 48} + loc8 + Bytes{0x0e, 56});
  const uint64_t begins[] = {0, 1, 3, 10, 20, 50, 90};
  for (size_t i = 0; i < std::size(begins); ++i) {
    const auto offset = static_cast<int32_t>(8 + 8 * i);
    EXPECT_EQ(at(writer, begins[i]).rule.cfa.offset, offset) << begins[i];
    if (i == 0) continue;
    EXPECT_EQ(at(writer, begins[i] - 1).rule.cfa.offset, offset - 8) << begins[i] - 1;
  }
}

TEST(CfiInterpret, CodeAlignmentFactorsAdvances) {
  const SectionWriter writer = one_function({0x43, 0x0e, 16}, {.code_align = 4});
  EXPECT_EQ(at(writer, 11).rule.cfa.offset, 8);
  EXPECT_EQ(at(writer, 12).rule.cfa.offset, 16);
}

TEST(CfiInterpret, SetLocGoesToAnAddress) {
  const CieShape absolute = {.augmentation_data = {0x00}};
  SectionWriter writer;
  const auto absolute8 = [](uint64_t pc, uint64_t) {
    Bytes bytes;
    append(bytes, pc);
    return bytes;
  };
  Bytes to_40 = {0x01};
  append(to_40, kText + 0x40);
  writer.fde(writer.cie(absolute), kText, 0, to_40 + Bytes{0x0e, 16}, absolute8, absolute8(256, 0));
  EXPECT_EQ(at(writer, 0x3f).rule.cfa.offset, 8);
  EXPECT_EQ(at(writer, 0x40).rule.cfa.offset, 16);
  Bytes back = to_40;
  append<uint8_t>(back, 0x01);
  append(back, kText);
  SectionWriter backwards;
  backwards.fde(backwards.cie(absolute), kText, 0, back, absolute8, absolute8(256, 0));
  EXPECT_EQ(at(backwards, 0x40).status, CfiStatus::kMalformed);
}

TEST(CfiInterpret, CfaOpcodes) {
  EXPECT_EQ(rule_of({0x0c, 3, 32}).cfa.reg, kRbx);
  EXPECT_EQ(rule_of({0x0c, 3, 32}).cfa.offset, 32);
  EXPECT_EQ(rule_of({0x0d, 6}).cfa.reg, kRbp);
  EXPECT_EQ(rule_of({0x0d, 6}).cfa.offset, 8);
  EXPECT_EQ(rule_of({0x0e, 0x80, 0x01}).cfa.offset, 128);
  EXPECT_EQ(rule_of({0x12, 10, 0x7e}).cfa.reg, kR10);
  EXPECT_EQ(rule_of({0x12, 10, 0x7e}).cfa.offset, 16) << "factored by -8";
  EXPECT_EQ(rule_of({0x13, 0x7c}).cfa.offset, 32);
}

TEST(CfiInterpret, CfaExpression) {
  const CfiRule rule = rule_of({0x0f, 3, 0x77, 8, 0x06});
  EXPECT_EQ(rule.cfa.kind, CfaKind::kExpression);
  EXPECT_EQ(rule.cfa.size, 3);
}

TEST(CfiInterpret, RegisterOpcodes) {
  expect_rule(rule_of_register({0x83, 2}, kRbx), RuleKind::kAtCfa, -16);
  expect_rule(rule_of_register({0x05, 12, 3}, kR12), RuleKind::kAtCfa, -24);
  expect_rule(rule_of_register({0x11, 13, 0x7d}, kR13), RuleKind::kAtCfa, 24);
  expect_rule(rule_of_register({0x2f, 14, 2}, kR14), RuleKind::kAtCfa, 16);
  expect_rule(rule_of_register({0x14, 15, 2}, kR15), RuleKind::kValCfa, -16);
  expect_rule(rule_of_register({0x15, 15, 0x7e}, kR15), RuleKind::kValCfa, 16);
  expect_rule(rule_of_register({0x07, 16}, kRip), RuleKind::kUndefined, 0);
  expect_rule(rule_of_register({0x09, 16, 1}, kRip), RuleKind::kRegister, kRdx);
  expect_rule(rule_of_register({0x83, 2, 0x08, 3}, kRbx), RuleKind::kSame, 0);
  expect_rule(rule_of_register({0x08, 7}, kRsp), RuleKind::kRegister, kRsp);
  expect_rule(rule_of_register({0x09, 3, 33}, kRbx), RuleKind::kUndefined, 0);
}

TEST(CfiInterpret, RegisterExpressions) {
  const CfiRule rule = rule_of({0x10, 3, 2, 0x76, 0x70, 0x16, 6, 1, 0x96});
  EXPECT_EQ(rule.registers[kRbx].kind, RuleKind::kExpression);
  EXPECT_EQ(rule.registers[kRbx].size, 2);
  EXPECT_EQ(rule.registers[kRbp].kind, RuleKind::kValExpression);
  EXPECT_EQ(rule.registers[kRbp].size, 1);
}

TEST(CfiInterpret, ExpressionsPointAtTheirBytes) {
  const SectionWriter writer = one_function({0x10, 3, 2, 0x76, 0x70});
  const CfiRule rule = at(writer, 0).rule;
  EXPECT_EQ(rule.expressions[rule.registers[kRbx].value], 0x76);
  EXPECT_EQ(rule.expressions[rule.registers[kRbx].value + 1], 0x70);
}

TEST(CfiInterpret, RestoreGoesBackToTheCie) {
  expect_rule(rule_of_register({0x83, 2, 0xc3}, kRbx), RuleKind::kSame, 0);
  expect_rule(rule_of_register({0x90, 4, 0xd0}, kRip), RuleKind::kAtCfa, -8);
  expect_rule(rule_of_register({0x90, 4, 0x06, 16}, kRip), RuleKind::kAtCfa, -8);
}

TEST(CfiInterpret, RememberAndRestoreNest) {
  const CfiRule rule = rule_of({0x0a, 0x0e, 16, 0x83, 2, 0x0a, 0x0c, 6, 32, 0x0b});
  EXPECT_EQ(rule.cfa.reg, kRsp);
  EXPECT_EQ(rule.cfa.offset, 16) << "the CFA is remembered too";
  expect_rule(rule.registers[kRbx], RuleKind::kAtCfa, -16);
  EXPECT_EQ(rule_of({0x0a, 0x0e, 16, 0x83, 2, 0x0a, 0x0c, 6, 32, 0x0b, 0x0b}).cfa.offset, 8);
}

TEST(CfiInterpret, RememberedStatesAreBounded) {
  const Bytes deepest(kMaxRememberedStates, 0x0a);
  EXPECT_FALSE(malformed(deepest));
  EXPECT_TRUE(malformed(deepest + Bytes{0x0a}));
  EXPECT_TRUE(malformed({0x0b}));
  EXPECT_TRUE(malformed({0x0a, 0x0b, 0x0b}));
}

TEST(CfiInterpret, OpcodesWithoutMeaningForUs) {
  const CfiRule rule = rule_of({0x00, 0x2e, 0x80, 0x01, 0x0e, 24});
  EXPECT_EQ(rule.cfa.offset, 24) << "nop and GNU_args_size are read over";
  const Bytes vector_register = Bytes{0x05, 17, 2, 0x91, 3, 0x10, 20, 1, 0x96, 0x0e, 24};
  EXPECT_EQ(rule_of(vector_register).cfa.offset, 24) << "xmm registers are read over";
}

TEST(CfiInterpret, UnknownOpcodesAreMalformed) {
  for (const uint8_t opcode : {0x17, 0x1c, 0x1e, 0x2c, 0x2d, 0x30, 0x3f})
    EXPECT_TRUE(malformed({opcode, 0, 0}));
}

TEST(CfiInterpret, CutInstructionsAreMalformed) {
  const Bytes whole[] = {{0x02, 1},
                         {0x03, 1, 0},
                         {0x04, 1, 0, 0, 0},
                         {0x83, 2},
                         {0x05, 3, 2},
                         {0x0c, 7, 8},
                         {0x0d, 6},
                         {0x0e, 16},
                         {0x0f, 1, 0x96},
                         {0x10, 3, 1, 0x96},
                         {0x09, 3, 1},
                         {0x11, 3, 0x7e},
                         {0x16, 3, 2, 0x77, 0},
                         {0x2e, 1}};
  for (const Bytes& instruction : whole) {
    EXPECT_FALSE(malformed(instruction));
    for (size_t size = 1; size < instruction.size(); ++size) {
      const Bytes cut(instruction.begin(), instruction.begin() + static_cast<ptrdiff_t>(size));
      EXPECT_TRUE(malformed(cut)) << int{instruction[0]} << " cut to " << size;
    }
  }
}

TEST(CfiInterpret, ValuesThatDoNotFitAreMalformed) {
  EXPECT_TRUE(malformed(Bytes{0x0e} + uleb(uint64_t{1} << 31)));
  EXPECT_TRUE(malformed(Bytes{0x83} + uleb(uint64_t{1} << 60)));
  EXPECT_TRUE(malformed(Bytes{0x83} + uleb(UINT64_MAX)));
  EXPECT_TRUE(malformed(Bytes{0x13} + sleb(INT64_MIN)));
  EXPECT_TRUE(malformed(Bytes{0x2f, 3} + uleb(UINT64_MAX)));
  EXPECT_TRUE(malformed({0x0c, 17, 8})) << "a CFA in a vector register";
}

TEST(CfiInterpret, AdvancesThatWrapAreMalformed) {
  Bytes far = {0x1d};
  append<uint64_t>(far, UINT64_MAX);
  EXPECT_FALSE(malformed(far, {.code_align = 0}));
  EXPECT_TRUE(malformed(far));
  EXPECT_TRUE(malformed(far, {.code_align = 3}));
}

TEST(CfiInterpret, AdvancesBeyondTheFunctionEndThere) {
  const SectionWriter writer = one_function({0x03, 0xff, 0xff, 0x0e, 64});
  EXPECT_EQ(at(writer, 255).rule.cfa.offset, 8);
  EXPECT_EQ(at(writer, 256).status, CfiStatus::kNoRule);
}

TEST(CfiInterpret, RowsBeforeABadInstructionHold) {
  const SectionWriter writer = one_function({0x48, 0x0e, 16, 0x48, 0x3f});
  EXPECT_EQ(at(writer, 0).status, CfiStatus::kOk);
  EXPECT_EQ(at(writer, 15).rule.cfa.offset, 16);
  EXPECT_EQ(at(writer, 16).status, CfiStatus::kMalformed);
}

TEST(CfiInterpret, CfaOffsetsNeedACfaRegister) {
  EXPECT_TRUE(malformed({0x0f, 1, 0x96, 0x0e, 16}));
  EXPECT_TRUE(malformed({0x0f, 1, 0x96, 0x0d, 6}));
  EXPECT_TRUE(malformed({0x0e, 16}, {.instructions = {}}));
  EXPECT_FALSE(malformed({0x0f, 1, 0x96, 0x0c, 6, 16}));
}

TEST(CfiInterpret, CiesMayNotMoveOrRestore) {
  EXPECT_TRUE(malformed({}, {.instructions = {0x0c, 7, 8, 0x41}}));
  EXPECT_TRUE(malformed({}, {.instructions = {0x0c, 7, 8, 0xc3}}));
  EXPECT_TRUE(malformed({}, {.instructions = {0x0c, 7, 8, 0x0a}}));
}

TEST(CfiInterpret, ABadCieStaysBad) {
  const SectionWriter writer = one_function({}, {.instructions = {0x3f}});
  const CfiSection section = writer.section();
  Fde fde;
  ASSERT_EQ(find_fde(section, kText, &fde), CfiStatus::kOk);
  CfiRows rows(section);
  for (int again = 0; again < 2; ++again) {
    rows.start(fde);
    EXPECT_FALSE(rows.next());
    EXPECT_FALSE(rows.ok());
  }
}

TEST(CfiInterpret, RowsOfSeveralFunctions) {
  SectionWriter writer;
  size_t cie = writer.cie();
  writer.fde(cie, kText, 16, {0x44, 0x0e, 16});
  writer.fde(cie, kText + 16, 16, {0xc3, 0x44, 0x0e, 24});
  cie = writer.cie({.instructions = {0x0c, 6, 16, 0x90, 1}});
  writer.fde(cie, kText + 32, 16, {});
  const CfiSection section = writer.section();
  CfiRows rows(section);
  struct Row {
    uint64_t begin, end;
    int32_t offset;
  };
  std::vector<Row> found;
  for (uint64_t begin = kText; begin < kText + 48; begin += 16) {
    Fde fde;
    ASSERT_EQ(find_fde(section, begin, &fde), CfiStatus::kOk);
    rows.start(fde);
    while (rows.next()) found.push_back({rows.begin() - kText, rows.end() - kText, rows.rule().cfa.offset});
    EXPECT_TRUE(rows.ok());
  }
  const Row expected[] = {{0, 4, 8}, {4, 16, 16}, {16, 20, 8}, {20, 32, 24}, {32, 48, 16}};
  ASSERT_EQ(found.size(), std::size(expected));
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].begin, expected[i].begin);
    EXPECT_EQ(found[i].end, expected[i].end);
    EXPECT_EQ(found[i].offset, expected[i].offset);
  }
}

}  // namespace
}  // namespace walkabout::unwind
