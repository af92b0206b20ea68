#include "unwind/pe/prolog_x64.h"

#include <gtest/gtest.h>

#include "unwind/machine/epilog_x64.h"
#include "unwind/machine/test_memory.h"
#include "unwind/pe/fake_method.h"
#include "unwind/pe/pe_unwind.h"

namespace walkabout::unwind {
namespace {

using namespace testing;  // the methods' spelling

constexpr Reg kCalleeSaved[] = {kRbx, kRbp, kR12, kR13, kR14, kR15};

// UNWIND_INFO says nothing about epilogs.
bool in_epilog(const Registers& at, const FakeMethod& method) {
  return is_epilog(std::span(method.code()).subspan(at.pc()), 0, method.code().size(), at.pc());
}

UnwindInfo info_of(const PrologInfo& info) { return {info.bytes, info.size}; }

TEST(PrologX64, GivesTheCallerAtEachInstructionOfThePrologAndBehindIt) {
  alignas(16) uint64_t stack[256];
  for (const auto& [name, method] : typical_methods()) {
    for (uint64_t i = 0; i < std::size(stack); ++i) stack[i] = 0x1000 + i;
    Registers entry = distinct_registers();
    entry.sp() = reinterpret_cast<uint64_t>(stack + 200);
    const PrologInfo decoded = decode_prolog(method.code());
    ASSERT_EQ(unwind_info_size(info_of(decoded)), decoded.size) << name;
    for (const Registers& at : method.run(0, entry)) {
      if (in_epilog(at, method)) break;
      Registers caller = at;
      ASSERT_EQ(undo_prolog(info_of(decoded), at.pc(), caller, memory_of(stack, sizeof stack)),
                UnwindStatus::kOk)
          << name;
      EXPECT_EQ(caller.sp(), entry.sp()) << name << " at " << at.pc();
      for (const Reg reg : kCalleeSaved) EXPECT_EQ(caller.r[reg], entry.r[reg]) << name << " at " << at.pc();
    }
  }
}

TEST(PrologX64, WhatItDoesNotKnowEndsTheProlog) {
  const PrologInfo leaf = decode_prolog(std::vector<uint8_t>{0x31, 0xc0, 0x55, 0xc3});
  EXPECT_EQ(leaf.size, kUnwindHeaderSize);
  EXPECT_EQ(leaf.bytes[1], 0);
  const PrologInfo pushed =
      decode_prolog(std::vector<uint8_t>{0x55, 0x57, 0x53});  // rdi is no callee-saved register
  EXPECT_EQ(pushed.bytes[1], 1);
  EXPECT_EQ(pushed.size, 6u);
}

TEST(PrologX64, CutOffOrEmptyCodeIsNoProblem) {
  const FakeMethod method = FakeMethod().push(kPeRbp).push(kPeR15).sub_rsp_long(0x1000).lea_rbp(16);
  for (size_t n = 0; n <= method.code().size(); ++n) {
    const PrologInfo info = decode_prolog(std::span(method.code()).first(n));
    EXPECT_EQ(unwind_info_size(info_of(info)), info.size);
    EXPECT_LE(info.bytes[1], n);
  }
}

TEST(PrologX64, PrologsLongerThanItsBufferStayValid) {
  const PrologInfo info = decode_prolog(std::vector<uint8_t>(4096, 0x53));
  EXPECT_LE(info.size, sizeof info.bytes);
  EXPECT_EQ(unwind_info_size(info_of(info)), info.size);
}

TEST(PrologX64, AnySequenceOfItsInstructionsGivesAValidInfo) {
  const std::vector<std::vector<uint8_t>> chunks = {{0x55},
                                                    {0x53},
                                                    {0x41, 0x57},
                                                    {0x50},
                                                    {0x48, 0x83, 0xec, 0x80},
                                                    {0x48, 0x83, 0xec, 7},
                                                    {0xc5, 0xf8, 0x77},
                                                    {0x48, 0x81, 0xec, 0, 0, 0, 0x10},
                                                    {0x48, 0x8b, 0xec},
                                                    {0x48, 0x8d, 0x6c, 0x24, 16},
                                                    {0x48},
                                                    {0x90}};
  uint32_t seed = 1;
  for (int round = 0; round < 5000; ++round) {
    std::vector<uint8_t> code;
    for (int n = 0; n < 40; ++n) {
      seed = seed * 1664525 + 1013904223;
      const auto& chunk = chunks[(seed >> 16) % chunks.size()];
      code.insert(code.end(), chunk.begin(), chunk.end());
    }
    const PrologInfo info = decode_prolog(code);
    ASSERT_LE(info.size, sizeof info.bytes);
    ASSERT_EQ(unwind_info_size(info_of(info)), info.size);
  }
}

}  // namespace
}  // namespace walkabout::unwind
