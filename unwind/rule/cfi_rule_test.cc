#include "unwind/rule/cfi_rule.h"

#include <gtest/gtest.h>

namespace walkabout::unwind {
namespace {

CfiRule saves_rbp_and_rbx() {
  CfiRule rule = stack_rule(32);
  rule.registers[kRbp] = {.value = -16, .kind = RuleKind::kAtCfa};
  rule.registers[kRbx] = {.value = -24, .kind = RuleKind::kAtCfa};
  return rule;
}

bool is_plain(const CfiRule& rule) {
  CompactRule compact;
  return CompactRule::plain(rule, &compact);
}

TEST(CompactRule, GivesTheSameAsTheRule) {
  CfiRule rules[] = {stack_rule(8), stack_rule(0x7fffffff), saves_rbp_and_rbx(), saves_rbp_and_rbx(),
                     stack_rule(8)};
  rules[2].signal_frame = true;
  rules[3].cfa = {.offset = -40, .kind = CfaKind::kRegister, .reg = kR10};
  rules[4].registers[kRip] = {.kind = RuleKind::kUndefined};
  for (const CfiRule& rule : rules) {
    CompactRule compact;
    ASSERT_TRUE(CompactRule::plain(rule, &compact));
    EXPECT_EQ(compact.signal_frame(), rule.signal_frame);
    EXPECT_TRUE(same_rule(compact.expand(), rule));
  }
}

TEST(CompactRule, SlotsAtTheirLimits) {
  CfiRule rule = stack_rule(8);
  const auto fits = [&](int32_t value) {
    rule.registers[kR15] = {.value = value, .kind = RuleKind::kAtCfa};
    CompactRule compact;
    return CompactRule::plain(rule, &compact) && same_rule(compact.expand(), rule);
  };
  EXPECT_TRUE(fits(0));
  EXPECT_TRUE(fits(127 * 8));
  EXPECT_TRUE(fits(-127 * 8));
  EXPECT_FALSE(fits(128 * 8));
  EXPECT_FALSE(fits(-128 * 8)) << "is kNotSaved";
  EXPECT_FALSE(fits(-12)) << "not a whole slot";
}

TEST(CompactRule, UnusualRulesAreNotPlain) {
  ASSERT_TRUE(is_plain(saves_rbp_and_rbx()));
  CfiRule rule = saves_rbp_and_rbx();
  rule.cfa.kind = CfaKind::kExpression;
  EXPECT_FALSE(is_plain(rule));
  rule = saves_rbp_and_rbx();
  rule.return_column = kR15;
  EXPECT_FALSE(is_plain(rule));
  rule = saves_rbp_and_rbx();
  rule.registers[kRip].value = -16;
  EXPECT_FALSE(is_plain(rule));
  for (const RuleKind kind :
       {RuleKind::kUndefined, RuleKind::kValCfa, RuleKind::kRegister, RuleKind::kExpression}) {
    rule = saves_rbp_and_rbx();
    rule.registers[kRbx].kind = kind;
    EXPECT_FALSE(is_plain(rule));
  }
  for (const Reg reg : {kRax, kRdx, kRcx, kRsi, kRdi, kRsp, kR8, kR9, kR10, kR11}) {
    rule = saves_rbp_and_rbx();
    rule.registers[reg] = {.value = -32, .kind = RuleKind::kAtCfa};
    EXPECT_FALSE(is_plain(rule)) << int{reg};
  }
}

TEST(CompactRule, GeneralRefersToTheRule) {
  CfiRule rule = stack_rule(8);
  rule.signal_frame = true;
  const CompactRule compact = CompactRule::general(&rule);
  EXPECT_EQ(compact.kind(), CompactRule::Kind::kGeneral);
  EXPECT_EQ(compact.general(), &rule);
  EXPECT_TRUE(compact.signal_frame());
  EXPECT_TRUE(same_rule(compact.expand(), rule));
}

TEST(CompactRule, DefaultIsNone) {
  EXPECT_EQ(CompactRule().kind(), CompactRule::Kind::kNone);
  EXPECT_EQ(CompactRule().slot(3), kNotSaved);
  EXPECT_EQ(CompactRule().expand().cfa.kind, CfaKind::kNone);
}

TEST(CfiRule, SameRuleComparesExpressionsByTheirBytes) {
  const uint8_t here[] = {1, 2, 3, 4};
  const uint8_t there[] = {9, 2, 3, 5};
  CfiRule a = stack_rule(8);
  a.expressions = here;
  a.registers[kRbx] = {.value = 1, .size = 2, .kind = RuleKind::kExpression};
  CfiRule b = a;
  b.expressions = there;
  EXPECT_TRUE(same_rule(a, b));
  EXPECT_EQ(hash_rule(a), hash_rule(b));
  b.registers[kRbx].size = 3;
  EXPECT_FALSE(same_rule(a, b));
  b.registers[kRbx] = {.value = 2, .size = 2, .kind = RuleKind::kExpression};
  EXPECT_FALSE(same_rule(a, b));
  b = a;
  b.registers[kRbx].kind = RuleKind::kValExpression;
  EXPECT_FALSE(same_rule(a, b));
}

TEST(CfiRule, SameRuleSeesEveryDifference) {
  const CfiRule rule = saves_rbp_and_rbx();
  EXPECT_TRUE(same_rule(rule, saves_rbp_and_rbx()));
  CfiRule other = rule;
  other.cfa.offset = 40;
  EXPECT_FALSE(same_rule(rule, other));
  other = rule;
  other.cfa.reg = kRbp;
  EXPECT_FALSE(same_rule(rule, other));
  other = rule;
  other.signal_frame = true;
  EXPECT_FALSE(same_rule(rule, other));
  for (int reg = 0; reg < kRegCount; ++reg) {
    other = rule;
    other.registers[reg].value += 8;
    EXPECT_FALSE(same_rule(rule, other)) << reg;
  }
}

}  // namespace
}  // namespace walkabout::unwind
