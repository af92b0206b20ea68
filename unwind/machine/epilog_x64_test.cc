#include "unwind/machine/epilog_x64.h"

#include <gtest/gtest.h>

#include "unwind/machine/test_memory.h"
#include "unwind/pe/fake_method.h"

namespace walkabout::unwind {
namespace {

using namespace testing;  // the methods' spelling

constexpr uint64_t kBegin = 0x10000;
constexpr uint64_t kEnd = 0x11000;

bool epilog(std::vector<uint8_t> code, uint64_t pc = kBegin + 0x100) {
  return is_epilog(code, kBegin, kEnd, pc);
}

TEST(EpilogX64, UndoesTheRestFromEachOfItsInstructions) {
  uint64_t stack[64] = {};
  for (uint64_t i = 0; i < std::size(stack); ++i) stack[i] = 0x1000 + i;
  const FakeMethod method = FakeMethod().add_rsp(16).pop(kPeRbx).pop(kPeR15).pop(kPeRbp).ret();
  Registers regs = distinct_registers();
  regs.sp() = reinterpret_cast<uint64_t>(stack);
  for (const Registers& at : method.run(kBegin + 0x100, regs)) {
    const auto rest = std::span(method.code()).subspan(at.pc() - kBegin - 0x100);
    Registers caller = at;
    ASSERT_EQ(undo_epilog(rest, kBegin, kEnd, caller, memory_of(stack, sizeof stack)), Epilog::kUndone);
    EXPECT_EQ(caller.sp(), reinterpret_cast<uint64_t>(stack + 6));
    EXPECT_EQ(caller.pc(), 0x1005u);
    EXPECT_EQ(caller.r[kRbx], 0x1002u);
    EXPECT_EQ(caller.r[kR15], 0x1003u);
    EXPECT_EQ(caller.bp(), 0x1004u);
  }
}

TEST(EpilogX64, EveryWayToLeave) {
  EXPECT_TRUE(epilog({0xc3}));
  EXPECT_TRUE(epilog({0xf3, 0xc3})) << "rep ret";
  EXPECT_TRUE(epilog({0xc2, 8, 0})) << "ret n";
  EXPECT_TRUE(epilog({0xff, 0x25, 0, 0, 0, 0})) << "jmp [rip + disp]";
  EXPECT_TRUE(epilog({0x48, 0xff, 0xe0})) << "rex.w jmp rax: a tail call";
  EXPECT_TRUE(epilog({0x49, 0xff, 0xe3})) << "rex.w jmp r11";
  EXPECT_TRUE(epilog({0xe9, 0, 0x10, 0, 0})) << "jmp behind the function";
  EXPECT_TRUE(epilog({0xeb, 0x7f}, kEnd - 0x20));
  EXPECT_TRUE(epilog({0xe9, 0xfb, 0xfe, 0xff, 0xff}))
      << "jmp to its own first instruction: a tail call of itself";
  EXPECT_TRUE(epilog({0x48, 0x81, 0xc4, 0, 2, 0, 0, 0x5d, 0xc3})) << "add rsp, imm32";
  EXPECT_TRUE(epilog({0x48, 0x8d, 0xa5, 0, 2, 0, 0, 0x5d, 0xc3})) << "lea rsp, [rbp + disp32]";
}

TEST(EpilogX64, WhatStaysInTheFunctionIsNone) {
  EXPECT_FALSE(epilog({0xe9, 0, 1, 0, 0})) << "a jump inside";
  EXPECT_FALSE(epilog({0xeb, 0xfe})) << "a loop";
  EXPECT_FALSE(epilog({0xff, 0xe0})) << "jmp rax: a switch";
  EXPECT_FALSE(epilog({0xff, 0xd0})) << "call rax";
  EXPECT_FALSE(epilog({0x48, 0xff, 0xd0}));
  EXPECT_FALSE(epilog({0x5d, 0x90, 0xc3})) << "an instruction no epilog has";
  EXPECT_FALSE(epilog({0x48, 0x83, 0xec, 8, 0xc3})) << "sub rsp";
  EXPECT_FALSE(epilog({0x90}));
}

TEST(EpilogX64, CodeCutOffIsNone) {
  const std::vector<uint8_t> whole = {0x48, 0x81, 0xc4, 0, 2, 0, 0, 0x41, 0x5f, 0x5d, 0xe9, 0, 0x10, 0, 0};
  ASSERT_TRUE(epilog(whole));
  for (size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(epilog({whole.begin(), whole.begin() + static_cast<long>(n)})) << n;
}

TEST(EpilogX64, LooksNoFurtherThanItsWindow) {
  std::vector<uint8_t> pops(kEpilogWindow - 1, 0x5d);
  pops.push_back(0xc3);
  EXPECT_TRUE(epilog(pops));
  pops.insert(pops.begin(), 0x5d);
  EXPECT_FALSE(epilog(pops));
}

TEST(EpilogX64, PopsThatAreNoEpilogsAreNoneWhateverTheirMemory) {
  const std::vector<uint8_t> code = {0x5b, 0x90, 0xc3};  // pop rbx; nop; ret
  Registers regs;
  regs.pc() = kBegin;
  EXPECT_EQ(undo_epilog(code, kBegin, kEnd, regs, Memory{}), Epilog::kNot);
}

TEST(EpilogX64, UnreadableMemoryLeavesTheRegisters) {
  uint64_t stack[2] = {1, 2};
  const std::vector<uint8_t> code = {0x5b, 0x5d, 0xc3};  // three words are needed
  Registers regs = distinct_registers();
  regs.sp() = reinterpret_cast<uint64_t>(stack);
  const Registers before = regs;
  EXPECT_EQ(undo_epilog(code, kBegin, kEnd, regs, memory_of(stack, sizeof stack)), Epilog::kBadMemory);
  EXPECT_EQ(values(regs), values(before));
  EXPECT_EQ(undo_epilog(std::vector<uint8_t>{0x5b, 0x90}, kBegin, kEnd, regs, memory_of(stack, sizeof stack)),
            Epilog::kNot);
  EXPECT_EQ(values(regs), values(before));
}

}  // namespace
}  // namespace walkabout::unwind
