#include "unwind/cfi/cfi_fixup.h"

#include <gtest/gtest.h>

#include <map>

#include "unwind/cfi/cfi_table.h"
#include "unwind/cfi/cfi_test_section.h"

namespace walkabout::unwind {
namespace {

using testing::Bytes;
using testing::kText;
using testing::SectionWriter;
using testing::operator+;
using testing::uleb;

Bytes cfa(int64_t offset) { return Bytes{0x0e} + uleb(static_cast<uint64_t>(offset)); }  // def_cfa_offset
constexpr uint8_t kAdvance = 0x40;
constexpr int kRbxColumn = 3;

// A section of one function whose code is there to be read.
struct Function {
  Function(Bytes bytes, const Bytes& instructions) : code(std::move(bytes)) {
    const size_t cie = writer.cie();
    writer.fde(cie, kText, static_cast<uint32_t>(code.size()), instructions);
    writer.terminator();
    section = writer.indexed();
    section.code[0] = {code.data(), code.size(), kText};
  }
  // By the interpreter and by the table, which must agree.
  CfiRule rule(uint64_t offset) const {
    CfiRule rule;
    EXPECT_EQ(cfi_interpret(section, kText + offset, &rule), CfiStatus::kOk) << offset;
    const auto table = CfiTable::compile(section);
    EXPECT_TRUE(table.ok());
    const CompactRule* compact = table->find(kText + offset);
    EXPECT_TRUE(compact != nullptr && same_rule(rule, compact->expand())) << offset;
    return rule;
  }
  void expect_cfa(uint64_t offset, int32_t from_rsp) const {
    const CfiRule at = rule(offset);
    EXPECT_EQ(at.cfa.kind, CfaKind::kRegister);
    EXPECT_EQ(at.cfa.reg, kRsp);
    EXPECT_EQ(at.cfa.offset, from_rsp) << "at " << offset;
  }

  Bytes code;
  SectionWriter writer;
  CfiSection section;
};

// As libcoreclr's: push rbx; sub; test; jne second; add; pop rbx; ret; second: loads; lea; pop rbx; jmp rax.
// The directives of the second way out go on from the first one's end.
Function two_ways_out(const Bytes& last_jump = {0x48, 0xff, 0xe0}) {
  const Bytes code = Bytes{0x53, 0x48, 0x83, 0xec, 0x20, 0x85, 0xc0, 0x75, 0x06} +              // 0, 1, 5, 7
                     Bytes{0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3} +                                // 9, 13, 14
                     Bytes{0x66, 0x0f, 0x6f, 0x04, 0x24, 0x66, 0x0f, 0x6f, 0x4c, 0x24, 0x10} +  // 15, 20
                     Bytes{0x48, 0x89, 0xdf, 0x31, 0xf6} +                                      // 26, 29
                     Bytes{0x48, 0x8d, 0x64, 0x24, 0x20, 0x5b} + last_jump;                     // 31, 36, 37
  const Bytes instructions = Bytes{kAdvance | 1} + cfa(16) + Bytes{0x80 | kRbxColumn, 2} +      //
                             Bytes{kAdvance | 4} + cfa(48) +                                    //
                             Bytes{kAdvance | 8} + cfa(16) + Bytes{kAdvance | 1} + cfa(8) +
                             Bytes{0xc0 | kRbxColumn} +  //
                             Bytes{kAdvance | 22} + cfa(-24) + Bytes{kAdvance | 1} + cfa(-32);
  return Function(code, instructions);
}

TEST(CfiFixup, TheSecondWayOutIsReadFromItsCode) {
  const Function f = two_ways_out();
  const std::map<uint64_t, int32_t> expected{{0, 8},   {1, 16},  {5, 48},  {7, 48},  {9, 48},
                                             {13, 16}, {14, 8},  {15, 48}, {20, 48}, {26, 48},
                                             {29, 48}, {31, 48}, {36, 16}, {37, 8}};
  for (const auto& [offset, from_rsp] : expected) f.expect_cfa(offset, from_rsp);
  for (const uint64_t offset : {5, 9, 15, 29, 31, 36}) {
    const RegisterRule rbx = f.rule(offset).registers[kRbx];
    EXPECT_EQ(rbx.kind, RuleKind::kAtCfa) << offset;
    EXPECT_EQ(rbx.value, -16) << offset;
  }
  EXPECT_EQ(f.rule(37).registers[kRbx].kind, RuleKind::kSame);
}

TEST(CfiFixup, AJumpInsideTheFunctionIsNoWayOut) {
  two_ways_out({0xeb, 0x80}).expect_cfa(31, 48);             // jmp far ahead of the function
  two_ways_out({0xeb, 0xe0}).expect_cfa(31, 8);              // back into it: what its rows say stands
  two_ways_out({0xff, 0xd0, 0x90, 0xc3}).expect_cfa(31, 8);  // call rax
}

TEST(CfiFixup, OnlyRowsThatCannotBeAreDoubted) {
  // A frame that the code denies, but that is possible: the rows stand.
  const Function f(Bytes{0x90, 0x90, 0x5b, 0xc3}, cfa(64));
  f.expect_cfa(2, 64);
  CfiRows rows(f.section);
  Fde fde;
  ASSERT_EQ(find_fde(f.section, kText, &fde), CfiStatus::kOk);
  EXPECT_EQ(find_fault(f.section, rows, fde), CfiFault::kNone);
}

TEST(CfiFixup, CodeThatEndsTooEarlyIsNoWayOut) {
  const Bytes way_out{0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3};
  for (size_t size = 0; size <= way_out.size(); ++size) {
    CfiRule rule;
    EXPECT_EQ(way_out_rule({way_out.data(), size, kText}, kText, kText + size, &rule),
              size == way_out.size());
  }
  const Bytes by_rbp{0x48, 0x8d, 0x65, 0xf8, 0x5b, 0x5d, 0xc3};
  CfiRule rule;
  EXPECT_FALSE(way_out_rule({by_rbp.data(), by_rbp.size(), kText}, kText, kText + 7, &rule));
}

// libgcc goes to a landing pad: ... mov rsp, rcx; pop rcx; jmp rcx.
TEST(CfiFixup, EhReturnGoesToAnExactAddress) {
  const Bytes code{0x55, 0x48, 0x89, 0xcc, 0x59, 0xff, 0xe1, 0x90};
  const Bytes instructions = Bytes{kAdvance | 1} + cfa(16) + Bytes{0x80 | kRbxColumn, 3} +  //
                             Bytes{0x0c, 2, 8, kAdvance | 3, 0x0c, 7, 8} +        // rcx + 8, rsp + 8
                             Bytes{kAdvance | 1} + cfa(0) + Bytes{0x09, 16, 2} +  // pc is in rcx
                             Bytes{kAdvance | 2} + cfa(16) + Bytes{0x90, 1};
  const Function f(code, instructions);
  EXPECT_FALSE(f.rule(0).signal_frame);
  for (const uint64_t offset : {1, 4, 5}) {
    EXPECT_TRUE(f.rule(offset).signal_frame) << offset;
    EXPECT_EQ(f.rule(offset).registers[kRbx].kind, RuleKind::kSame) << "the landing pad's already";
  }
  EXPECT_EQ(f.rule(5).registers[kRip].kind, RuleKind::kRegister);
  EXPECT_FALSE(f.rule(7).signal_frame) << "what follows is the function again";
  EXPECT_EQ(f.rule(7).registers[kRbx].kind, RuleKind::kAtCfa);
}

// As OnHijackTripThread: push rax, rbp, rbx, r15 to r12; lea rsp, [rsp - 32]; call; lea; pops; ret.
Function returned_to(uint8_t first_push = 0x50) {
  const Bytes code =
      Bytes{first_push, 0x55, 0x53, 0x41, 0x57, 0x41, 0x56, 0x41, 0x55, 0x41, 0x54} +  // 0 to 9
      Bytes{0x48, 0x8d, 0x64, 0x24, 0xe0, 0xe8, 0, 0, 0, 0} +                          // 11, 16
      Bytes{0x48, 0x8d, 0x64, 0x24, 0x20, 0x41, 0x5c, 0xc3};                           // 21, 26, 28
  Bytes instructions;
  int64_t offset = 8;
  for (const uint8_t size : {1, 1, 1, 2, 2, 2, 2})
    instructions = instructions + Bytes{static_cast<uint8_t>(kAdvance | size)} + cfa(offset += 8);
  return Function(code, instructions + Bytes{kAdvance | 5} + cfa(offset + 32));
}

TEST(CfiFixup, WhatIsReturnedToHasItsReturnAddressAWordLower) {
  const Function f = returned_to();
  const std::map<uint64_t, int32_t> expected{{0, 0},  {1, 8},   {2, 16},  {3, 24},
                                             {5, 32}, {11, 56}, {16, 88}, {21, 88}};
  for (const auto& [offset, from_rsp] : expected) {
    f.expect_cfa(offset, from_rsp);
    EXPECT_EQ(f.rule(offset).registers[kRip].value, -8) << offset;
  }
}

TEST(CfiFixup, PushesAloneDoNotMakeItReturnedTo) {
  returned_to(0x51).expect_cfa(1, 16);  // rcx: the rows stand
  Function unreadable = returned_to();
  unreadable.section.code[0] = {};
  unreadable.expect_cfa(1, 16);
}

// As ResolveWorkerChainLookupAsmStub, which is entered with two words above the return address. No
// directives.
Function chain_lookup(uint8_t last_pop = 0x5a) {
  return Function(
      Bytes{0x48, 0xc7, 0xc0, 0x01, 0x00, 0x00, 0x00, 0x4c, 0x21, 0xd8, 0x58, 0x75, 0x36, 0x48, 0x8b} +
          Bytes{0x40, 0x18, 0x48, 0x85, 0xc0, 0x74, 0x2d, 0x48, 0x3b, 0x10, 0x75, 0xf2, 0x4c, 0x3b, 0x50} +
          Bytes{0x08, 0x75, 0xec, 0x48, 0x8d, 0x15, 0xa0, 0xa9, 0x0b, 0x00, 0x48, 0x83, 0x2a, 0x01, 0x7c} +
          Bytes{0x07, 0x48, 0x8b, 0x40, 0x10, 0x5a, 0xff, 0xe0, 0x48, 0xc7, 0x02, 0x00, 0x01, 0x00, 0x00} +
          Bytes{0x49, 0x83, 0xcb, 0x02, 0x49, 0x89, 0xc2, last_pop, 0x41, 0x52, 0xe9, 0xf5, 0xfe, 0xff, 0xff},
      {});
}

TEST(CfiFixup, AChainLookupIsEnteredWithTwoWordsOfItsOwn) {
  const Function f = chain_lookup();
  const std::map<uint64_t, int32_t> expected{{0, 24},  {7, 24},  {10, 24}, {11, 16}, {13, 16},
                                             {33, 16}, {40, 16}, {46, 16}, {50, 16}, {51, 8},
                                             {53, 16}, {64, 16}, {67, 16}, {68, 8},  {70, 16}};
  for (const auto& [offset, from_rsp] : expected) f.expect_cfa(offset, from_rsp);
}

TEST(CfiFixup, OtherCodeIsNoChainLookup) {
  chain_lookup(0x59).expect_cfa(0, 8);
  Function unreadable = chain_lookup();
  unreadable.section.code[0] = {};
  unreadable.expect_cfa(0, 8);
}

}  // namespace
}  // namespace walkabout::unwind
