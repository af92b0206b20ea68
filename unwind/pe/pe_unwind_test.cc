#include "unwind/pe/pe_unwind.h"

#include <gtest/gtest.h>

#include "unwind/machine/test_memory.h"
#include "unwind/pe/pe_test_info.h"

namespace walkabout::unwind {
namespace {

using namespace testing;  // the codes' spelling

constexpr uint64_t kAll = ~uint64_t{0};

TEST(PeUnwind, UndoesExactlyWhatThePrologHadDone) {
  // push rbp (1), push r15 (3), sub rsp, 32 (7)
  const auto info = pe_info({.prolog = 7}, {pe_alloc(7, 32), pe_push(3, kPeR15), pe_push(1, kPeRbp)});
  struct Case {
    uint64_t offset, rise;
    bool r15, rbp;
  };
  for (const Case& c : {Case{0, 0, false, false},
                        {1, 8, false, true},
                        {2, 8, false, true},
                        {3, 16, true, true},
                        {6, 16, true, true},
                        {7, 48, true, true},
                        {kAll, 48, true, true}}) {
    const Registers before = distinct_registers();
    Registers regs = before;
    ASSERT_EQ(undo_prolog(info, c.offset, regs, readable_everywhere()), UnwindStatus::kOk);
    EXPECT_EQ(regs.sp(), before.sp() + c.rise) << c.offset;
    EXPECT_EQ(regs.bp(), c.rbp ? word_at(regs.sp() - 8) : before.bp()) << c.offset;
    EXPECT_EQ(regs.r[kR15], c.r15 ? word_at(regs.sp() - 16) : before.r[kR15]) << c.offset;
  }
}

TEST(PeUnwind, EveryFormOfAllocation) {
  for (const uint32_t bytes : {8u, 128u, 136u, 65535u * 8, 65536u * 8, 0x7fff'fff8u}) {
    Registers regs = distinct_registers();
    const uint64_t sp = regs.sp();
    ASSERT_EQ(undo_prolog(pe_info({}, {pe_alloc(0, bytes)}), kAll, regs, readable_everywhere()),
              UnwindStatus::kOk);
    EXPECT_EQ(regs.sp(), sp + bytes);
  }
}

TEST(PeUnwind, TheFrameRegisterGivesTheStackPointerBackOnceItIsSet) {
  // push rbp (1), sub rsp, 64 (5), lea rbp, [rsp + 48] (10); then rsp moves (localloc)
  const auto info = pe_info({.prolog = 10, .frame = kPeRbp, .frame_offset = 3},
                            {pe_set_frame(10), pe_alloc(5, 64), pe_push(1, kPeRbp)});
  Registers regs = distinct_registers();
  regs.bp() = 0x9000;
  regs.sp() = 0x100;
  ASSERT_EQ(undo_prolog(info, 10, regs, readable_everywhere()), UnwindStatus::kOk);
  EXPECT_EQ(regs.sp(), 0x9000u - 48 + 64 + 8);
  EXPECT_EQ(regs.bp(), word_at(regs.sp() - 8));
  Registers early = distinct_registers();
  const uint64_t sp = early.sp();
  ASSERT_EQ(undo_prolog(info, 9, early, readable_everywhere()), UnwindStatus::kOk);
  EXPECT_EQ(early.sp(), sp + 72) << "not yet set";
}

TEST(PeUnwind, TheLargeFrameOffsetOfUnix) {
  const auto info = pe_info({.prolog = 12, .frame = kPeRbp, .frame_offset = 15},
                            {pe_set_frame_large(12, 0x10001), pe_push(1, kPeRbp)});
  Registers regs = distinct_registers();
  const uint64_t bp = regs.bp();
  ASSERT_EQ(undo_prolog(info, 12, regs, readable_everywhere()), UnwindStatus::kOk);
  EXPECT_EQ(regs.sp(), bp - 0x100010 + 8);
}

TEST(PeUnwind, RegistersSavedByMovesAreFoundFromTheFrame) {
  const auto by_sp =
      pe_info({.prolog = 20}, {pe_save(20, kPeRbx, 2), pe_save_far(15, kPeR12, 0x20000), pe_alloc(4, 128)});
  Registers regs = distinct_registers();
  const uint64_t sp = regs.sp();
  ASSERT_EQ(undo_prolog(by_sp, 20, regs, readable_everywhere()), UnwindStatus::kOk);
  EXPECT_EQ(regs.r[kRbx], word_at(sp + 16));
  EXPECT_EQ(regs.r[kR12], word_at(sp + 0x20000));
  const auto by_bp = pe_info({.prolog = 20, .frame = kPeRbp, .frame_offset = 1},
                             {pe_save(20, kPeRbx, 2), pe_set_frame(9), pe_alloc(4, 128)});
  regs = distinct_registers();
  const uint64_t bp = regs.bp();
  ASSERT_EQ(undo_prolog(by_bp, 20, regs, readable_everywhere()), UnwindStatus::kOk);
  EXPECT_EQ(regs.r[kRbx], word_at(bp - 16 + 16));
}

TEST(PeUnwind, VectorRegistersAndEpilogCodesDoNotMoveTheStack) {
  const auto info = pe_info({.prolog = 9, .version = 2}, {{9, pe::kSaveXmm128, 6, {1}},
                                                          {8, pe::kSaveXmm128Far, 6, {1, 0}},
                                                          {0, pe::kEpilog, 0, {0}},
                                                          {0, pe::kSpare, 0, {1, 2}},
                                                          pe_alloc(4, 16)});
  ASSERT_EQ(unwind_info_size(info), info.size());
  Registers regs = distinct_registers();
  const uint64_t sp = regs.sp();
  ASSERT_EQ(undo_prolog(info, kAll, regs, readable_everywhere()), UnwindStatus::kOk);
  EXPECT_EQ(regs.sp(), sp + 16);
}

TEST(PeUnwind, BadInfosAreReportedAsBad) {
  Registers regs = distinct_registers();
  const Memory memory = readable_everywhere();
  EXPECT_EQ(undo_prolog({}, kAll, regs, memory), UnwindStatus::kBadInfo);
  const auto machine = pe_info({}, {{0, pe::kPushMachFrame, 0, {}}});
  EXPECT_EQ(undo_prolog(machine, kAll, regs, memory), UnwindStatus::kMachineFrame);
  const auto unknown = pe_info({}, {{0, 12, 0, {}}});
  EXPECT_EQ(undo_prolog(unknown, kAll, regs, memory), UnwindStatus::kBadInfo);
  const auto large = pe_info({}, {{0, pe::kAllocLarge, 2, {1, 2}}});
  EXPECT_EQ(undo_prolog(large, kAll, regs, memory), UnwindStatus::kBadInfo);
  auto cut = pe_info({}, {pe_alloc(0, 1 << 20)});
  cut[2] = 2;  // the operand's second half lies outside
  EXPECT_EQ(undo_prolog(cut, kAll, regs, memory), UnwindStatus::kBadInfo);
  cut[2] = 200;  // more codes than bytes
  EXPECT_EQ(undo_prolog(cut, kAll, regs, memory), UnwindStatus::kBadInfo);
}

TEST(PeUnwind, UnreadableMemoryIsReported) {
  const Memory nothing;
  Registers regs = distinct_registers();
  EXPECT_EQ(undo_prolog(pe_info({}, {pe_push(0, kPeRbp)}), kAll, regs, nothing), UnwindStatus::kBadMemory);
  EXPECT_EQ(undo_prolog(pe_info({}, {pe_save(0, kPeRbp, 1)}), kAll, regs, nothing), UnwindStatus::kBadMemory);
  EXPECT_EQ(undo_prolog(pe_info({}, {pe_save_far(0, kPeRbp, 8)}), kAll, regs, nothing),
            UnwindStatus::kBadMemory);
  EXPECT_EQ(undo_prolog(pe_info({}, {pe_alloc(0, 8)}), kAll, regs, nothing), UnwindStatus::kOk)
      << "needs none";
  EXPECT_EQ(pop_return(regs, nothing), UnwindStatus::kBadMemory);
}

TEST(PeUnwind, PopReturnTakesTheWordAtTheStackPointer) {
  Registers regs = distinct_registers();
  const uint64_t sp = regs.sp();
  ASSERT_EQ(pop_return(regs, readable_everywhere()), UnwindStatus::kOk);
  EXPECT_EQ(regs.pc(), word_at(sp));
  EXPECT_EQ(regs.sp(), sp + 8);
}

TEST(PeUnwind, SizeOfWholeInfosOnly) {
  const auto info = pe_info({.prolog = 9}, {pe_alloc(9, 1 << 20), pe_alloc(5, 256), pe_push(1, kPeRbp)});
  EXPECT_EQ(unwind_info_size(info), info.size());
  auto longer = info;
  longer.resize(info.size() + 40, 0xff);  // what lies behind does not belong to it
  EXPECT_EQ(unwind_info_size(longer), info.size());
  for (size_t n = 0; n < info.size(); ++n) {
    EXPECT_EQ(unwind_info_size(std::span(info).first(n)), 0u) << n;
  }
}

TEST(PeUnwind, SizeOfInvalidInfosIsZero) {
  for (const uint8_t version : {0, 3, 7}) {
    EXPECT_EQ(unwind_info_size(pe_info({.version = version}, {pe_push(0, kPeRbp)})), 0u);
  }
  EXPECT_EQ(unwind_info_size(pe_info({}, {{0, 12, 0, {}}})), 0u) << "an unknown code";
  EXPECT_EQ(unwind_info_size(pe_info({}, {{0, pe::kAllocLarge, 2, {1, 2}}})), 0u);
  EXPECT_EQ(unwind_info_size(pe_info({}, {{0, pe::kAllocLarge, 0, {}}})), 0u) << "its operand is cut off";
  EXPECT_EQ(unwind_info_size(pe_info({}, {})), kUnwindHeaderSize) << "a leaf has no codes";
}

}  // namespace
}  // namespace walkabout::unwind
