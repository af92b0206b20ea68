#include "agent/windows/hijacked_return.h"

#include <gtest/gtest.h>

#include <array>

#include "unwind/managed/fake_pe_process.h"

namespace walkabout::agent {
namespace {

using HijackProcess = unwind::testing::FakePeProcess;

constexpr uint64_t kRoutine = HijackProcess::kDll + HijackProcess::kPlain, kCaller = HijackProcess::kMethod + 0x40;

// A managed frame whose return address was taken, and the CLR's object of its thread.
struct HijackedReturnTest : ::testing::Test {
  HijackedReturnTest() {
    slot = process.push_frame(HijackProcess::kMethodWords, kRoutine) - 8;
    process.push_frame(8, 0);
  }
  HijackedReturn taken(clr::ThreadID clr) {
    const unwind::Memory memory = process.memory();
    return hijacked_return(HijackProcess::at(HijackProcess::kMethod + 0x20), true, clr, memory, process.code());
  }

  HijackProcess process;
  uint64_t slot = 0;
  std::array<uint64_t, 4096 / 8> object{};
};

// Wherever in the object: also where what is read at once ends between the two words.
TEST_F(HijackedReturnTest, ItIsFoundInTheThreadObject) {
  for (const size_t at : {size_t{0}, size_t{62}, size_t{63}, size_t{300}}) {
    object = {};
    object[at] = kCaller;
    object[at + 1] = slot;
    const HijackedReturn found = taken(reinterpret_cast<clr::ThreadID>(object.data()));
    EXPECT_EQ(found.slot, slot) << at;
    EXPECT_EQ(found.original, kCaller) << at;
  }
}

TEST_F(HijackedReturnTest, WhereTheObjectDoesNotSayNothingIsPutBack) {
  EXPECT_EQ(taken(reinterpret_cast<clr::ThreadID>(object.data())).slot, 0u);
  EXPECT_EQ(taken(0).slot, 0u) << "it is not known";
  EXPECT_EQ(taken(0x10).slot, 0u) << "it is gone";
}

}  // namespace
}  // namespace walkabout::agent
