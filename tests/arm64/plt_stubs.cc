// Leaving AArch64's PLT stubs at each of their instructions.
#include <gtest/gtest.h>

#include "unwind/cfi/cfi_plt.h"
#include "unwind/machine/registers.h"

namespace walkabout::unwind {
namespace {

constexpr uint64_t kPlt = 0x10000;
// As GNU ld writes it: the head, two nops short of two entries, then entries.
const uint32_t kCode[] = {0xa9bf7bf0, 0x90000090, 0xf947fe11, 0x913fe210, 0xd61f0220, 0xd503201f,
                          0xd503201f, 0xd503201f, 0x90000090, 0xf9400211, 0x91000210, 0xd61f0220,
                          0x90000090, 0xf9400611, 0x91002210, 0xd61f0220, 0xaa0003e0, 0xd65f03c0};

CfiSection section() {
  CfiSection s;
  s.code[0] = {reinterpret_cast<const uint8_t*>(kCode), sizeof kCode, kPlt};
  return s;
}

TEST(Plt, EntriesAreLeavesAndTheHeadHasPushedAPair) {
  const CfiSection s = section();
  CfiRule rule;
  for (const uint64_t instruction : {1, 2, 3, 4}) {  // of the head, behind its push
    ASSERT_TRUE(plt_rule(s, kPlt + instruction * 4, &rule)) << instruction;
    EXPECT_EQ(rule.cfa.offset, 16);
    EXPECT_EQ(rule.registers[arm64::kLr].kind, RuleKind::kAtCfa);
    EXPECT_EQ(rule.registers[arm64::kLr].value, -8);
  }
  for (uint64_t instruction = 8; instruction < 16; ++instruction) {
    ASSERT_TRUE(plt_rule(s, kPlt + instruction * 4, &rule)) << instruction;
    EXPECT_EQ(rule.cfa.offset, 0);
    EXPECT_EQ(rule.cfa.reg, arm64::kSp);
    EXPECT_EQ(rule.registers[arm64::kLr].kind, RuleKind::kSame);
  }
}

TEST(Plt, OtherCodeIsNone) {
  const CfiSection s = section();
  CfiRule rule;
  for (const uint64_t instruction : {5, 6, 7, 16, 17, 18, 1000}) {
    EXPECT_FALSE(plt_rule(s, kPlt + instruction * 4, &rule)) << instruction;
  }
}

}  // namespace
}  // namespace walkabout::unwind
