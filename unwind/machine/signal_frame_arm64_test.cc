#include "unwind/machine/signal_frame_arm64.h"

#include <gtest/gtest.h>

#include <array>

namespace walkabout::unwind::arm64 {
namespace {

// tests/arm64/live_code.cc has the kernel's own frames.
TEST(SignalFrameArm64, AllRegistersAreTheInterruptedOnes) {
  std::array<uint64_t, 128> words{};
  for (size_t i = 0; i < words.size(); ++i) words[i] = i;
  Memory memory;
  memory.lo = reinterpret_cast<uint64_t>(words.data());
  memory.hi = reinterpret_cast<uint64_t>(words.data() + words.size());
  Registers regs;
  regs.sp() = memory.lo;
  ASSERT_TRUE(step_signal_frame(regs, memory));
  for (uint64_t i = 0; i < kRegCount; ++i) EXPECT_EQ(regs.r[i], kSignalRegisters / 8 + i);
}

TEST(SignalFrameArm64, WhatCannotBeReadChangesNothing) {
  Registers regs;
  regs.sp() = 0x1000;
  regs.pc() = 0x2000;
  EXPECT_FALSE(step_signal_frame(regs, Memory{}));
  EXPECT_EQ(regs.sp(), 0x1000u);
  EXPECT_EQ(regs.pc(), 0x2000u);
}

}  // namespace
}  // namespace walkabout::unwind::arm64
