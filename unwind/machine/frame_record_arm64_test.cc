#include "unwind/machine/frame_record_arm64.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace walkabout::unwind::arm64 {
namespace {

constexpr uint64_t kStack = 0x7fff'0000;
constexpr uint64_t kArmCode = 0x5500'1000;
// As a signing processor leaves it in bits 48 to 54.
constexpr uint64_t kSignature = uint64_t{0x5a} << 48;

constexpr uint32_t kNop = 0xd503201f;
constexpr uint32_t kPaciasp = 0xd503233f;
constexpr uint32_t kPush = 0xa9be7bfd;      // stp x29, x30, [sp, #-32]!
constexpr uint32_t kSubStack = 0xd10103ff;  // sub sp, sp, #64
constexpr uint32_t kSaveAt48 = 0xa9037bfd;  // stp x29, x30, [sp, #48]
constexpr uint32_t kMovFp = 0x910003fd;     // mov x29, sp
constexpr uint32_t kFpAt48 = 0x9100c3fd;    // add x29, sp, #48
constexpr uint32_t kPop = 0xa8c27bfd;       // ldp x29, x30, [sp], #32
constexpr uint32_t kRet = 0xd65f03c0;
constexpr uint32_t kBl = 0x94000010;
constexpr uint32_t kB = 0x14000004;

class Stack {
 public:
  Stack() {
    memory.slow = [](void* context, uint64_t address, void* to, size_t size) {
      const auto* self = static_cast<Stack*>(context);
      const uint64_t offset = address - kStack;
      if (offset >= sizeof self->words || size > sizeof self->words - offset) return false;
      std::memcpy(to, reinterpret_cast<const uint8_t*>(self->words.data()) + offset, size);
      return true;
    };
    memory.context = this;
  }
  void record(size_t word, uint64_t fp, uint64_t link) { words[word] = fp, words[word + 1] = link; }
  std::array<uint64_t, 32> words{};
  Memory memory;
};

Registers registers(uint64_t sp, uint64_t fp, uint64_t lr) {
  Registers regs;
  regs.sp() = sp, regs.bp() = fp, regs.lr() = lr, regs.pc() = kArmCode;
  return regs;
}

TEST(ReturnAddress, LosesItsSignature) {
  EXPECT_EQ(return_address(kArmCode | kSignature), kArmCode);
  EXPECT_EQ(return_address(kArmCode), kArmCode);
  EXPECT_EQ(return_address(kArmCode | uint64_t{0xff} << 56), kArmCode);
  EXPECT_EQ(return_address(0xff80'8000'1234'5678), 0xffff'8000'1234'5678) << "a kernel address";
}

TEST(FrameRecord, ChainIsFollowedToItsEnd) {
  Stack stack;
  stack.record(2, kStack + 80, kArmCode + 0x100 + kSignature);
  stack.record(10, 0, kArmCode + 0x200);
  Registers regs = registers(kStack, kStack + 16, 1);
  ASSERT_EQ(step_by_record(regs, stack.memory), RecordStep::kStepped);
  EXPECT_EQ(regs.pc(), kArmCode + 0x100);
  EXPECT_EQ(regs.sp(), kStack + 32);
  ASSERT_EQ(step_by_record(regs, stack.memory), RecordStep::kStepped);
  EXPECT_EQ(regs.pc(), kArmCode + 0x200);
  EXPECT_EQ(step_by_record(regs, stack.memory), RecordStep::kRoot);
  EXPECT_EQ(regs.pc(), kArmCode + 0x200) << "a step that fails changes nothing";
}

TEST(FrameRecord, WhatIsNoRecordIsRefused) {
  Stack stack;
  for (const uint64_t fp : {kStack + 4, kStack - 16}) {
    Registers regs = registers(kStack, fp, 1);
    EXPECT_EQ(step_by_record(regs, stack.memory), RecordStep::kNoRecord) << std::hex << fp;
  }
  Registers outside = registers(kStack, kStack + sizeof stack.words - 8, 1);
  EXPECT_EQ(step_by_record(outside, stack.memory), RecordStep::kBadMemory);
  stack.record(0, kStack, 12);
  Registers small = registers(kStack, kStack, 1);
  EXPECT_EQ(step_by_record(small, stack.memory), RecordStep::kNoRecord);
}

TEST(FrameRecord, LeafIsLeftByItsLink) {
  Registers regs = registers(kStack, kStack + 16, kArmCode + 0x40 + kSignature);
  ASSERT_EQ(step_by_link(regs), RecordStep::kStepped);
  EXPECT_EQ(regs.pc(), kArmCode + 0x40);
  EXPECT_EQ(regs.bp(), kStack + 16);
  EXPECT_EQ(regs.sp(), kStack);
  regs.lr() = 0;
  EXPECT_EQ(step_by_link(regs), RecordStep::kRoot);
}

// A whole call of a function with this prolog and epilog: at each instruction the caller is the same.
struct Step {
  uint32_t instruction;
  RecordState::Kind before;
  uint64_t offset;
};

void expect_states(const std::vector<Step>& steps) {
  std::vector<uint32_t> code;
  for (const Step& step : steps) {
    const RecordState state = record_state(code);
    EXPECT_EQ(state.kind, step.before) << "at instruction " << code.size();
    EXPECT_EQ(state.offset, step.offset) << "at instruction " << code.size();
    code.push_back(step.instruction);
  }
}

TEST(RecordState, PrologThatPushesItsRecord) {
  using S = RecordState;
  expect_states({{kPaciasp, S::kLink, 0},
                 {kPush, S::kLink, 0},
                 {kMovFp, S::kPair, 0},
                 {kNop, S::kRecord, 0},
                 {kBl, S::kRecord, 0},
                 {kPop, S::kRecord, 0},
                 {kRet, S::kLink, 0},
                 {kNop, S::kRecord, 0}});
}

TEST(RecordState, PrologThatSavesItsRecordAboveItsLocals) {
  using S = RecordState;
  expect_states({{kSubStack, S::kLink, 0},
                 {kSaveAt48, S::kLink, 0},
                 {kNop, S::kPair, 48},
                 {kFpAt48, S::kPair, 48},
                 {kB, S::kRecord, 0},
                 {kNop, S::kRecord, 0}});
  expect_states({{kPush, S::kLink, 0}, {kSubStack, S::kPair, 0}, {kNop, S::kPair, 64}});
}

TEST(RecordState, LeafKeepsItsLinkAndACallWithoutASaveIsUnknown) {
  using S = RecordState;
  expect_states({{kNop, S::kLink, 0}, {kNop, S::kLink, 0}, {kRet, S::kLink, 0}});
  expect_states({{kNop, S::kLink, 0}, {kBl, S::kLink, 0}, {kNop, S::kUnknown, 0}});
}

TEST(FrameRecord, InterruptedAnywhereTheCallerIsTheSame) {
  Stack stack;
  const uint64_t caller = kArmCode + 0x400;
  stack.record(4, kStack + 160, caller);
  const struct {
    RecordState state;
    Registers regs;
  } places[] = {{{RecordState::kLink, 0}, registers(kStack + 64, kStack + 160, caller)},
                {{RecordState::kPair, 32}, registers(kStack, kStack + 160, 0)},
                {{RecordState::kRecord, 0}, registers(kStack, kStack + 32, 0)}};
  for (const auto& place : places) {
    Registers regs = place.regs;
    ASSERT_EQ(step_interrupted(place.state, regs, stack.memory), RecordStep::kStepped) << place.state.kind;
    EXPECT_EQ(regs.pc(), caller) << place.state.kind;
    EXPECT_EQ(regs.bp(), kStack + 160) << place.state.kind;
  }
  Registers regs = registers(kStack, kStack + 32, caller);
  EXPECT_EQ(step_interrupted({RecordState::kUnknown, 0}, regs, stack.memory), RecordStep::kNoRecord);
}

}  // namespace
}  // namespace walkabout::unwind::arm64
