#include "pdb/il_loops.h"

#include <gtest/gtest.h>

namespace walkabout::pdb {
namespace {

using Code = std::vector<uint8_t>;

TEST(IlLoops, ABranchThatLeadsBackEndsALoop) {
  // for (i = 0; i < n; i++) {}: ldc.i4.0, stloc.0, br.s 4, (ldloc.0, ldc.i4.1, add, stloc.0), ldloc.0,
  // ldarg.0, blt.s -8, ret
  const Code code{0x16, 0x0a, 0x2b, 0x04, 0x06, 0x17, 0x58, 0x0a, 0x06, 0x02, 0x32, 0xf8, 0x2a};
  EXPECT_EQ(loops_of(code), (std::vector<Loop>{{4, 12}}));
}

TEST(IlLoops, ALongBranchIsOneToo) {
  const Code code{0x00, 0x38, 0xfa, 0xff, 0xff, 0xff};  // nop, br -6
  EXPECT_EQ(loops_of(code), (std::vector<Loop>{{0, 6}}));
}

TEST(IlLoops, OperandsAreNoInstructions) {
  // ldc.i4 with the bytes of "br.s -2", ldc.i8, switch with two targets, ldftn, ldloc, constrained.
  const Code code{0x20, 0x2b, 0xfe, 0x2b, 0xfe, 0x21, 0x2b, 0xfe, 0x2b, 0xfe, 0x2b, 0xfe, 0x2b, 0xfe, 0x45,
                  2,    0,    0,    0,    0x2b, 0xfe, 0x2b, 0xfe, 0x2b, 0xfe, 0x2b, 0xfe, 0xfe, 0x06, 0x2b,
                  0xfe, 0x2b, 0xfe, 0xfe, 0x0c, 0x2b, 0xfe, 0xfe, 0x16, 0x2b, 0xfe, 0x2b, 0xfe, 0x2a};
  EXPECT_TRUE(loops_of(code).empty());
}

TEST(IlLoops, ForwardBranchesAreNone) {
  EXPECT_TRUE(loops_of(Code{0x2b, 0x00, 0x2a}).empty());
  EXPECT_TRUE(loops_of(Code{0x2b, 0x01, 0x00, 0x2a}).empty());
}

TEST(IlLoops, WhatIsNoInstructionEndsTheSearch) {
  EXPECT_TRUE(loops_of(Code{0x24, 0x2b, 0xfe}).empty());
  EXPECT_TRUE(loops_of(Code{0xfe}).empty());
  EXPECT_TRUE(loops_of(Code{0x45, 0xff, 0xff, 0xff, 0xff, 0x2b, 0xfe}).empty());
  EXPECT_TRUE(loops_of(Code{0x2b}).empty());
  EXPECT_TRUE(loops_of(Code{0x2b, 0x80}).empty());  // to before the method
  EXPECT_TRUE(loops_of({}).empty());
}

TEST(IlLoops, AreBounded) {
  Code code;
  for (size_t i = 0; i < 2 * kMostLoops; ++i) code.insert(code.end(), {0x2b, 0xfe});
  EXPECT_EQ(loops_of(code).size(), kMostLoops);
}

}  // namespace
}  // namespace walkabout::pdb
