#include "agent/windows/own_stack_memory.h"

#include <gtest/gtest.h>

#include <array>

#include "unwind/managed/fake_pe_process.h"

namespace walkabout::agent {
namespace {

using OwnStack = unwind::testing::FakePeProcess;

constexpr uint64_t kRoutineOfRuntime = OwnStack::kDll + OwnStack::kPlain,
                   kRealCaller = OwnStack::kMethod + 0x40;

// What the memory has where `stack` has a managed frame that returns to `to`, and the word above that.
struct Read {
  uint64_t return_address = 0, above = 0;
};
Read read_after_met(uint64_t to, bool object_says, bool met) {
  const OwnStack process;
  const unwind::PeCodeMap code = process.code();
  std::array<uint64_t, OwnStack::kMethodWords + 8> stack{};  // on this thread's own
  const auto sp = reinterpret_cast<uint64_t>(stack.data());
  stack[OwnStack::kMethodWords] = to;
  stack[OwnStack::kMethodWords + 1] = 77;
  const uint64_t slot = sp + OwnStack::kMethodWords * 8;
  std::array<uint64_t, 4096 / 8> object{};
  if (object_says) object[100] = kRealCaller, object[101] = slot;
  OwnStackMemory own(sp, reinterpret_cast<clr::ThreadID>(object.data()), code);
  EXPECT_FALSE(own.saw_managed());
  const TopmostManaged topmost = own.watch();
  if (met) topmost.met(topmost.context, OwnStack::at(OwnStack::kMethod + 0x20, sp));
  EXPECT_EQ(own.saw_managed(), met);
  Read read;
  EXPECT_TRUE(own.memory().load64(slot, &read.return_address));
  EXPECT_TRUE(own.memory().load64(slot + 8, &read.above));
  if (met) {
    EXPECT_EQ(own.topmost().sp(), sp);
  }
  return read;
}

TEST(OwnStackMemory, AReturnAddressThatWasTakenReadsAsItWas) {
  const Read read = read_after_met(kRoutineOfRuntime, true, true);
  EXPECT_EQ(read.return_address, kRealCaller);
  EXPECT_EQ(read.above, 77u);
}

TEST(OwnStackMemory, OthersAreReadWhereTheyAre) {
  EXPECT_EQ(read_after_met(kRoutineOfRuntime, true, false).return_address, kRoutineOfRuntime)
      << "no managed frame yet";
  EXPECT_EQ(read_after_met(kRoutineOfRuntime, false, true).return_address, kRoutineOfRuntime)
      << "nobody knows what it was";
  EXPECT_EQ(read_after_met(kRealCaller + 4, true, true).return_address, kRealCaller + 4)
      << "it was not taken";
}

// A fault would end the program.
TEST(OwnStackMemory, WhatIsNotThereIsRefused) {
  const OwnStack process;
  const unwind::PeCodeMap code = process.code();
  int local = 0;
  OwnStackMemory own(reinterpret_cast<uint64_t>(&local), 0, code);
  uint64_t word = 0;
  EXPECT_FALSE(own.memory().load64(0x10, &word));
  EXPECT_FALSE(own.memory().load64(~uint64_t{0} - 16, &word));
}

}  // namespace
}  // namespace walkabout::agent
