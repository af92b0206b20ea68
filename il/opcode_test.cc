#include "il/opcode.h"

#include <gtest/gtest.h>

namespace walkabout::il {
namespace {

TEST(Opcode, CodesOfOneByteAndOfTwo) {
  EXPECT_EQ(operand_of(uint16_t{0x00}), Operand::kNone);
  EXPECT_EQ(operand_of(uint16_t{0x20}), Operand::kFour);
  EXPECT_EQ(operand_of(uint16_t{0x45}), Operand::kSwitch);
  EXPECT_EQ(operand_of(uint16_t{0xfe0c}), Operand::kTwo);
  EXPECT_EQ(operand_of(uint16_t{0xfe16}), Operand::kToken);
  EXPECT_EQ(name_of(Op::kLdcI4M1), "ldc.i4.m1");
  EXPECT_EQ(name_of(Op::kConstrained), "constrained.");
  EXPECT_EQ(code_size(Op::kConvU), 1u);
  EXPECT_EQ(code_size(Op::kArglist), 2u);
}

TEST(Opcode, WhatIsNone) {
  for (const uint16_t code :
       {0x24, 0x77, 0xa6, 0xbb, 0xc7, 0xe1, 0xfe, 0xff, 0x100, 0xfdff, 0xfe08, 0xfe1b, 0xfe1f, 0xffff})
    EXPECT_FALSE(operand_of(code)) << code;
}

TEST(Opcode, EachIsThereOnce) {
  int count = 0, branches = 0;
  for (uint32_t code = 0; code <= 0xffff; ++code) {
    const auto operand = operand_of(static_cast<uint16_t>(code));
    if (!operand) continue;
    ++count;
    EXPECT_FALSE(name_of(static_cast<Op>(code)).empty()) << code;
    branches += *operand == Operand::kShortBranch;
  }
  EXPECT_EQ(count, 219);
  EXPECT_EQ(branches, 14);
}

TEST(Opcode, ShortBranchesHaveALongForm) {
  for (uint16_t code = 0; code < 0xff; ++code) {
    if (operand_of(code) != Operand::kShortBranch) continue;
    const Op longer = long_form(static_cast<Op>(code));
    EXPECT_EQ(operand_of(longer), Operand::kBranch);
    EXPECT_EQ(std::string(name_of(longer)) + ".s", name_of(static_cast<Op>(code)));
  }
}

TEST(Opcode, Prefixes) {
  for (const Op op : {Op::kUnaligned, Op::kVolatile, Op::kTail, Op::kConstrained, Op::kNo, Op::kReadonly})
    EXPECT_TRUE(is_prefix(op));
  EXPECT_FALSE(is_prefix(Op::kRethrow));
  EXPECT_FALSE(is_prefix(Op::kCall));
}

}  // namespace
}  // namespace walkabout::il
