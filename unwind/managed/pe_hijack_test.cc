#include "unwind/managed/pe_hijack.h"

#include <gtest/gtest.h>

#include <vector>

#include "unwind/managed/fake_pe_process.h"

namespace walkabout::unwind {
namespace {

using Hijacked = testing::FakePeProcess;

constexpr uint64_t kRoutine = Hijacked::kDll + Hijacked::kPlain, kCaller = Hijacked::kMethod + 0x40;

// A managed frame that returns to `to`; gives the slot.
uint64_t returns_to(Hijacked& process, uint64_t to) {
  const uint64_t slot = process.push_frame(Hijacked::kMethodWords, to) - 8;
  process.push_frame(8, 0);
  return slot;
}

uint64_t slot_of(Hijacked& process) {
  const Memory memory = process.memory();
  return hijacked_slot(Hijacked::at(Hijacked::kMethod + 0x20), true, memory, process.code());
}

TEST(PeHijack, AReturnToTheBeginOfANativeFunctionIsNone) {
  Hijacked process;
  const uint64_t slot = returns_to(process, kRoutine);
  EXPECT_EQ(slot_of(process), slot);
}

TEST(PeHijack, OtherReturnAddressesAreBelieved) {
  for (uint64_t to : {kRoutine + 1, Hijacked::kDll + Hijacked::kLeaf, Hijacked::kMethod, kCaller,
                      uint64_t{0x99'0000'0000}}) {
    Hijacked process;
    returns_to(process, to);
    EXPECT_EQ(slot_of(process), 0u) << std::hex << to;
  }
}

TEST(PeHijack, AStackThatCannotBeReadHasNone) {
  Hijacked process;
  EXPECT_EQ(slot_of(process), 0u);
}

TEST(PeHijack, TheThreadObjectHasTheReturnAddressBesideTheSlot) {
  const Hijacked process;
  constexpr uint64_t kSlot = Hijacked::kStack + 0x100;
  const PeCodeMap code = process.code();
  EXPECT_EQ(taken_from_slot(kSlot, std::vector<uint64_t>{1, kCaller, kSlot, 2}, code), kCaller);
  EXPECT_EQ(taken_from_slot(kSlot, std::vector<uint64_t>{1, kSlot, kCaller}, code), kCaller);
  EXPECT_EQ(taken_from_slot(kSlot, std::vector<uint64_t>{kSlot, 1, kCaller}, code), 0u) << "not beside it";
  EXPECT_EQ(taken_from_slot(kSlot, std::vector<uint64_t>{kSlot, 1, kSlot, kCaller}, code), kCaller);
  EXPECT_EQ(taken_from_slot(kSlot, std::vector<uint64_t>{kSlot + 8, kCaller}, code), 0u);
  EXPECT_EQ(taken_from_slot(kSlot, {}, code), 0u);
}

}  // namespace
}  // namespace walkabout::unwind
