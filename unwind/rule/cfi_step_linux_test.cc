#include <gtest/gtest.h>

#include "unwind/cfi/cfi_test_image.h"
#include "unwind/rule/cfi_step.h"

namespace walkabout::unwind {
namespace {

// A stack of 64 words, each with a value that tells its place; sp at word 8.
class CfiStep : public ::testing::Test {
 protected:
  CfiStep() {
    for (uint64_t i = 0; i < std::size(words_); ++i) words_[i] = 0x1000 + i;
    for (uint64_t i = 0; i < kRegCount; ++i) regs_.r[i] = 0x100 + i;
    regs_.sp() = address(8);
    memory_ = testing::memory_of(words_, sizeof words_);
  }
  uint64_t address(size_t word) const { return reinterpret_cast<uint64_t>(words_ + word); }
  static uint64_t word(uint64_t i) { return 0x1000 + i; }

  // Steps by the rule, and where it has one by its compact form, which must agree.
  StepStatus step(const CfiRule& rule) {
    Registers by_compact = regs_;
    const StepStatus status = cfi_step(rule, regs_, memory_);
    CompactRule compact;
    if (CompactRule::plain(rule, &compact)) {
      EXPECT_EQ(cfi_step(compact, by_compact, memory_), status);
      EXPECT_TRUE(std::equal(regs_.r, regs_.r + kRegCount, by_compact.r));
    }
    return status;
  }

  uint64_t words_[64];
  Registers regs_;
  Memory memory_;
};

TEST_F(CfiStep, PopsAFrame) {
  CfiRule rule = stack_rule(32);  // CFA: word 12
  rule.registers[kRbp] = {.value = -16, .kind = RuleKind::kAtCfa};
  rule.registers[kR15] = {.value = -24, .kind = RuleKind::kAtCfa};
  ASSERT_EQ(step(rule), StepStatus::kOk);
  EXPECT_EQ(regs_.pc(), word(11));
  EXPECT_EQ(regs_.sp(), address(12));
  EXPECT_EQ(regs_.bp(), word(10));
  EXPECT_EQ(regs_.r[kR15], word(9));
  EXPECT_EQ(regs_.r[kRbx], 0x100u + kRbx) << "not saved: as it was";
}

TEST_F(CfiStep, CfaOnAnyRegister) {
  CfiRule rule = stack_rule(-8);
  rule.cfa.reg = kR10;
  regs_.r[kR10] = address(20);
  ASSERT_EQ(step(rule), StepStatus::kOk);
  EXPECT_EQ(regs_.sp(), address(19));
  EXPECT_EQ(regs_.pc(), word(18));
}

TEST_F(CfiStep, OutermostChangesNothing) {
  CfiRule rule = stack_rule(8);
  rule.registers[kRip] = {.kind = RuleKind::kUndefined};
  const uint64_t sp = regs_.sp();
  EXPECT_EQ(step(rule), StepStatus::kOutermost);
  EXPECT_EQ(regs_.sp(), sp);
}

TEST_F(CfiStep, NoRule) {
  EXPECT_EQ(step(CfiRule()), StepStatus::kNoRule);
  EXPECT_EQ(cfi_step(CompactRule(), regs_, memory_), StepStatus::kNoRule);
  CfiRule rule = stack_rule(8);
  rule.registers[kRip] = {};
  EXPECT_EQ(step(rule), StepStatus::kNoRule) << "nothing says where the return address is";
}

TEST_F(CfiStep, UnreadableMemoryChangesNothing) {
  CfiRule outside = stack_rule(8 * 57);  // the return address is just behind the stack
  const Registers before = regs_;
  EXPECT_EQ(step(outside), StepStatus::kBadMemory);
  CfiRule saved = stack_rule(8);
  saved.registers[kR12] = {.value = -8 * 10, .kind = RuleKind::kAtCfa};  // below the stack
  EXPECT_EQ(step(saved), StepStatus::kBadMemory);
  EXPECT_TRUE(std::equal(before.r, before.r + kRegCount, regs_.r));
}

TEST_F(CfiStep, CfaThatWrapsIsUnreadable) {
  regs_.sp() = UINT64_MAX - 3;
  EXPECT_EQ(step(stack_rule(8)), StepStatus::kBadMemory);
}

// libc's clone wrapper while it changes stacks: everything in registers.
TEST_F(CfiStep, RegistersInRegisters) {
  CfiRule rule = stack_rule(0);
  rule.registers[kRip] = {.value = kRdx, .kind = RuleKind::kRegister};
  rule.registers[kRsp] = {.value = kR8, .kind = RuleKind::kRegister};
  rule.registers[kRbp] = {.value = kR9, .kind = RuleKind::kRegister};
  ASSERT_EQ(step(rule), StepStatus::kOk);
  EXPECT_EQ(regs_.pc(), 0x100u + kRdx);
  EXPECT_EQ(regs_.sp(), 0x100u + kR8);
  EXPECT_EQ(regs_.bp(), 0x100u + kR9);
}

TEST_F(CfiStep, RegistersAreReadBeforeAnyChanges) {
  CfiRule rule = stack_rule(8);
  rule.registers[kRax] = {.value = kRbx, .kind = RuleKind::kRegister};
  rule.registers[kRbx] = {.value = kRax, .kind = RuleKind::kRegister};
  ASSERT_EQ(step(rule), StepStatus::kOk);
  EXPECT_EQ(regs_.r[kRax], 0x100u + kRbx);
  EXPECT_EQ(regs_.r[kRbx], 0x100u + kRax);
}

TEST_F(CfiStep, ValuesRelativeToTheCfa) {
  CfiRule rule = stack_rule(8);
  rule.registers[kRbx] = {.value = 24, .kind = RuleKind::kValCfa};
  rule.registers[kR12] = {.kind = RuleKind::kUndefined};
  ASSERT_EQ(step(rule), StepStatus::kOk);
  EXPECT_EQ(regs_.r[kRbx], address(12));
  EXPECT_EQ(regs_.r[kR12], 0u) << "lost";
}

TEST_F(CfiStep, ReturnColumnOtherThanRip) {
  CfiRule rule = stack_rule(8);
  rule.return_column = kR15;
  rule.registers[kR15] = {.value = 0, .kind = RuleKind::kAtCfa};
  ASSERT_EQ(step(rule), StepStatus::kOk);
  EXPECT_EQ(regs_.pc(), word(9));
}

// GCC's realigned frames: CFA = *(rbp - 8), registers at rbp - n.
TEST_F(CfiStep, RealignedFrame) {
  const uint8_t bytes[] = {0x76, 0x78, 0x06,  // breg6 -8, deref
                           0x76, 0x00,        // breg6 0
                           0x76, 0x70};       // breg6 -16
  CfiRule rule = stack_rule(0);
  rule.expressions = bytes;
  rule.cfa = {.offset = 0, .size = 3, .kind = CfaKind::kExpression};
  rule.registers[kRbp] = {.value = 3, .size = 2, .kind = RuleKind::kExpression};
  rule.registers[kRbx] = {.value = 5, .size = 2, .kind = RuleKind::kExpression};
  regs_.bp() = address(20);
  words_[19] = address(40);
  ASSERT_EQ(step(rule), StepStatus::kOk);
  EXPECT_EQ(regs_.sp(), address(40));
  EXPECT_EQ(regs_.pc(), word(39));
  EXPECT_EQ(regs_.bp(), word(20));
  EXPECT_EQ(regs_.r[kRbx], word(18));
}

TEST_F(CfiStep, ExpressionsOfRegistersBeginWithTheCfa) {
  const uint8_t bytes[] = {0x38, 0x1c};  // lit8, minus
  CfiRule rule = stack_rule(16);
  rule.expressions = bytes;
  rule.registers[kRbx] = {.value = 0, .size = 2, .kind = RuleKind::kValExpression};
  rule.registers[kR12] = {.value = 0, .size = 2, .kind = RuleKind::kExpression};
  ASSERT_EQ(step(rule), StepStatus::kOk);
  EXPECT_EQ(regs_.r[kRbx], address(9));
  EXPECT_EQ(regs_.r[kR12], word(9));
}

TEST_F(CfiStep, ExpressionsThatFail) {
  const uint8_t bytes[] = {0x50, 0x30, 0x06};  // reg0 is no value; 0 cannot be read
  CfiRule rule = stack_rule(16);
  rule.expressions = bytes;
  rule.cfa = {.offset = 0, .size = 1, .kind = CfaKind::kExpression};
  EXPECT_EQ(step(rule), StepStatus::kBadExpression);
  rule.cfa = {.offset = 1, .size = 2, .kind = CfaKind::kExpression};
  EXPECT_EQ(step(rule), StepStatus::kBadMemory);
  rule = stack_rule(16);
  rule.expressions = bytes;
  rule.registers[kRbp] = {.value = 0, .size = 1, .kind = RuleKind::kValExpression};
  EXPECT_EQ(step(rule), StepStatus::kBadExpression);
  rule.registers[kRbp] = {.value = 1, .size = 1, .kind = RuleKind::kExpression};
  EXPECT_EQ(step(rule), StepStatus::kBadMemory) << "an address that cannot be read";
}

}  // namespace
}  // namespace walkabout::unwind
