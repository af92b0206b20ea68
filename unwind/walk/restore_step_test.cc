#include "unwind/walk/restore_step.h"

#include <gtest/gtest.h>

#include <array>

namespace walkabout::unwind {
namespace {

// push rbp; mov rbp, [r10 + a0]; mov rsp, [r10 + 98]; jmp rax; pop rbp; ret
constexpr std::array<uint8_t, 19> kRestoreCode = {0x55, 0x49, 0x8b, 0xaa, 0xa0, 0,    0,    0,    0x49, 0x8b,
                                                  0xa2, 0x98, 0,    0,    0,    0xff, 0xe0, 0x5d, 0xc3};
constexpr uint64_t kCaller = 0x5000, kTarget = 0x6000, kOldBp = 77, kNewBp = 99;

struct Thread {
  std::array<uint64_t, 4> stack = {kOldBp, kCaller, 0, 0};
  Registers regs;
  Memory memory;
  explicit Thread(size_t at) {
    memory.lo = reinterpret_cast<uint64_t>(stack.data());
    memory.hi = memory.lo + sizeof stack;
    regs.pc() = reinterpret_cast<uint64_t>(kRestoreCode.data()) + at;
    regs.sp() = memory.lo;
    regs.bp() = kNewBp;
    regs.r[kRax] = kTarget;
  }
};

TEST(RestoreStep, TheOldCallersUntilTheStackPointerIsLoaded) {
  for (const size_t at : {1, 8, 17}) {
    Thread t(at);
    ASSERT_EQ(step_restoring(t.regs, t.memory), Step::kStepped) << at;
    EXPECT_EQ(t.regs.pc(), kCaller);
    EXPECT_EQ(t.regs.sp(), t.memory.lo + 16);
    EXPECT_EQ(t.regs.bp(), kOldBp);
  }
}

TEST(RestoreStep, AtTheJumpTheTarget) {
  Thread t(15);
  ASSERT_EQ(step_restoring(t.regs, t.memory), Step::kStepped);
  EXPECT_EQ(t.regs.pc(), kTarget);
  EXPECT_EQ(t.regs.sp(), t.memory.lo);
  EXPECT_EQ(t.regs.bp(), kNewBp);
}

TEST(RestoreStep, AtTheReturnTheFramePointerIsPopped) {
  Thread t(18);
  t.regs.sp() += 8;
  t.regs.bp() = kOldBp;
  ASSERT_EQ(step_restoring(t.regs, t.memory), Step::kStepped);
  EXPECT_EQ(t.regs.pc(), kCaller);
  EXPECT_EQ(t.regs.bp(), kOldBp);
}

TEST(RestoreStep, AStackThatCannotBeReadIsReported) {
  Thread t(1);
  t.regs.sp() = 8;
  EXPECT_EQ(step_restoring(t.regs, t.memory), Step::kBadMemory);
  EXPECT_EQ(t.regs.bp(), kNewBp);
}

// A recorded process has its code elsewhere than at its addresses.
TEST(RestoreStep, TheCodeIsReadThroughMemory) {
  Thread t(1);
  constexpr uint64_t kRecorded = 0x1000;
  t.regs.pc() = kRecorded + 15;
  t.memory.code = [](void*, uint64_t pc, size_t) { return kRestoreCode.data() + (pc - kRecorded); };
  ASSERT_EQ(step_restoring(t.regs, t.memory), Step::kStepped);
  EXPECT_EQ(t.regs.pc(), kTarget);
}

TEST(RestoreStep, WithoutTheCodeThereIsNoRule) {
  Thread t(15);
  t.memory.code = [](void*, uint64_t, size_t) -> const uint8_t* { return nullptr; };
  EXPECT_EQ(step_restoring(t.regs, t.memory), Step::kNoRule);
}

TEST(RestoreStep, OnlyTheRestorersRuleIsItsRule) {
  CfiRule rule;
  rule.cfa.kind = CfaKind::kRegister;
  rule.cfa.reg = kRbp;
  for (const int32_t offset : {0, 16}) {
    rule.cfa.offset = offset;
    rule.registers[kRip] = {-8, 0, RuleKind::kAtCfa, 0};
    CompactRule compact;
    ASSERT_TRUE(CompactRule::plain(rule, &compact));
    EXPECT_EQ(by_callers_bp(rule), offset == 0);
    EXPECT_EQ(by_callers_bp(compact), offset == 0);
  }
  EXPECT_FALSE(by_callers_bp(stack_rule(8)));
  EXPECT_FALSE(by_callers_bp(CompactRule()));
}

}  // namespace
}  // namespace walkabout::unwind
