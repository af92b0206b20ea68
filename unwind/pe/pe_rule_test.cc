#include "unwind/pe/pe_rule.h"

#include <gtest/gtest.h>

#include <random>

#include "unwind/pe/pe_test_info.h"
#include "unwind/rule/cfi_step.h"

namespace walkabout::unwind {
namespace {

using namespace testing;  // the codes' spelling

bool accepts(const std::vector<uint8_t>& info) { return PeRule().add(info); }

TEST(PeRule, ATypicalFrame) {
  PeRule rule;
  ASSERT_TRUE(rule.add(pe_info(
      {.prolog = 12, .frame = kPeRbp, .frame_offset = 2},
      {pe_set_frame(12), pe_alloc(8, 32), pe_push(4, kPeRbx), pe_push(2, kPeR15), pe_push(0, kPeRbp)})));
  const CfiRule cfi = rule.finish();
  EXPECT_EQ(cfi.cfa.reg, kRbp);
  EXPECT_EQ(cfi.cfa.offset, 32)
      << "rbp: where rsp was before the locals; three pushes and the return address";
  EXPECT_EQ(cfi.registers[kRbp].value, -16);
  EXPECT_EQ(cfi.registers[kR15].value, -24);
  EXPECT_EQ(cfi.registers[kRbx].value, -32);
  EXPECT_EQ(cfi.registers[kR12].kind, RuleKind::kSame);
  CompactRule compact;
  EXPECT_TRUE(CompactRule::plain(cfi, &compact)) << "what the JIT writes fits a compact rule";
}

TEST(PeRule, RefusesWhatNoRuleCanExpress) {
  EXPECT_FALSE(accepts({}));
  EXPECT_FALSE(accepts({1, 0, 5, 0})) << "codes cut off";
  EXPECT_FALSE(accepts(pe_info({}, {{0, 12, 0, {}}}))) << "an unknown code";
  EXPECT_FALSE(accepts(pe_info({}, {{0, pe::kPushMachFrame, 0, {}}})));
  EXPECT_FALSE(accepts(pe_info({.frame = kPeRbp}, {pe_push(0, kPeRbx), pe_set_frame(0)})))
      << "pushed below the frame";
  EXPECT_FALSE(accepts(pe_info({.frame = kPeRbp}, {pe_push(0, kPeRbx)})))
      << "the frame register is never set";
  EXPECT_FALSE(accepts(pe_info({}, {pe_set_frame(0)}))) << "no frame register";
  EXPECT_FALSE(accepts(pe_info({.frame = kPeRsp}, {pe_set_frame(0)})));
  EXPECT_FALSE(accepts(pe_info({}, {pe_push(0, kPeRsp)}))) << "the stack pointer comes from the stack";
  EXPECT_FALSE(accepts(pe_info({}, {pe_push(0, kPeRbx), pe_push(0, kPeRbx)}))) << "two words to read";
  EXPECT_FALSE(accepts(pe_info({.prolog = 3}, {pe_push(4, kPeRbx)}))) << "not done when the prolog is";
  EXPECT_FALSE(accepts(pe_info({}, {pe_alloc(0, 0xffff'fff8)}))) << "offsets of rules have 32 bits";
}

TEST(PeRule, RefusesAParentsFrameRegisterThatTheChildSaved) {
  PeRule rule;
  ASSERT_TRUE(rule.add(pe_info({}, {pe_push(0, kPeRbp)})));
  EXPECT_FALSE(rule.add(pe_info({.frame = kPeRbp}, {pe_set_frame(0), pe_push(0, kPeRbp)})));
}

// Any codes in any order, up to three infos chained.
class RandomInfo {
 public:
  std::vector<uint8_t> make() {
    PeHeader header{.prolog = 200};
    if (number(2) == 0) {
      header.frame = static_cast<uint8_t>(number(16));
      header.frame_offset = static_cast<uint8_t>(number(16));
    }
    std::vector<PeCode> codes;
    if (header.frame != 0 && number(3) != 0) codes.push_back(pe_set_frame(0));
    for (uint32_t n = number(6); n > 0; --n) codes.push_back(code());
    return pe_info(header, codes);
  }
  uint32_t number(uint32_t below) { return static_cast<uint32_t>(random_() % below); }

 private:
  PeCode code() {
    const auto reg = static_cast<uint8_t>(number(16));
    switch (number(12)) {
      case 0:
        return pe_alloc(0, 8 + number(16) * 8);
      case 1:
        return pe_alloc(0, 8 + number(100'000) * 8);
      case 2:
        return pe_save(0, reg, static_cast<uint16_t>(number(65536)));
      case 3:
        return pe_save_far(0, reg, number(1 << 24));
      case 4:
        return number(4) == 0 ? pe_set_frame(0) : pe_set_frame_large(0, number(1 << 20));
      case 5:
        return {0, pe::kSaveXmm128, reg, {7}};
      default:
        return pe_push(0, reg);
    }
  }
  std::mt19937_64 random_{20261121};
};

TEST(PeRule, StepsExactlyAsTheCodesDo) {
  RandomInfo random;
  const Memory memory = readable_everywhere();
  int compared = 0;
  for (int round = 0; round < 60'000; ++round) {
    PeRule rule;
    Registers by_codes = distinct_registers();
    bool ok = true;
    for (uint32_t chain = 1 + random.number(3); chain > 0 && ok; --chain) {
      const auto info = random.make();
      ASSERT_EQ(unwind_info_size(info), info.size());
      ok = rule.add(info) && undo_prolog(info, 255, by_codes, memory) == UnwindStatus::kOk;
    }
    if (!ok) continue;
    ASSERT_EQ(pop_return(by_codes, memory), UnwindStatus::kOk);
    Registers by_rule = distinct_registers();
    ASSERT_EQ(cfi_step(rule.finish(), by_rule, memory), StepStatus::kOk);
    ASSERT_EQ(values(by_rule), values(by_codes)) << "round " << round;
    ++compared;
  }
  EXPECT_GT(compared, 10'000);
}

}  // namespace
}  // namespace walkabout::unwind
