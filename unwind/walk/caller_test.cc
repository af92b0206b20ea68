#include "unwind/walk/caller.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "unwind/machine/call_site.h"
#include "unwind/walk/fake_process.h"
#include "unwind/walk/hijack.h"

namespace walkabout::unwind {
namespace {

using namespace testing;  // the process's spelling
using wire::Frame;

constexpr uint64_t kThreadObject = 0x6000'0000;
constexpr uint64_t kTripRoutine = FakeProcess::kNative + 0x380;  // native code that no call precedes

// Both kinds of methods, called by one another, from where they have called in their turn.
TEST(Caller, OfAMethodIsWhereItsCallReturnsTo) {
  for (const FakeMethod& called : {calling_method(), calling_method_without_frame()}) {
    FakeProcess p;
    const uint64_t caller = p.load(calling_method_without_frame(), 1), counted = p.load(called, 2);
    p.enter(caller);
    const uint64_t offset = p.regs.pc() - caller;
    p.enter(counted);
    EXPECT_EQ(find_caller(p.regs, p.memory, p.map).frame, FakeProcess::jitted_frame(1, offset));
  }
}

TEST(Caller, StandsForItsReturnAddressWhereBothMethodsAreKnown) {
  for (const bool reported : {true, false}) {
    FakeProcess p;
    p.enter(p.load(calling_method(), 1));
    const uint64_t slot = p.regs.sp() - 8;
    p.enter(reported ? p.load(calling_method(), 2) : p.load_unreported(calling_method()));
    const FoundCaller found = find_caller(p.regs, p.memory, p.map);
    EXPECT_EQ(found.slot, slot);
    EXPECT_EQ(found.lasting, reported);
  }
}

TEST(Caller, ThatIsNativeIsNamed) {
  FakeProcess p;
  const uint64_t counted = p.load(calling_method(), 2);
  p.enter_native();
  const uint64_t from = p.regs.pc();
  p.enter(counted);
  EXPECT_EQ(find_caller(p.regs, p.memory, p.map).frame, FakeProcess::native_frame(from));
}

TEST(Caller, OfAMethodThatWasNotReportedYetIsFound) {
  FakeProcess p;
  const uint64_t caller = p.load(calling_method(), 1);
  const uint64_t counted = p.load_unreported(calling_method());
  p.enter(caller);
  const uint64_t offset = p.regs.pc() - caller;
  p.enter(counted);
  EXPECT_EQ(find_caller(p.regs, p.memory, p.map).frame, FakeProcess::jitted_frame(1, offset));
}

TEST(Caller, ThatWasNotReportedYetIsSaidToBe) {
  FakeProcess p;
  p.load(calling_method(), 1);
  const uint64_t caller = p.load_unreported(calling_method());
  const uint64_t counted = p.load(calling_method(), 2);
  p.enter(caller);
  const uint64_t from = p.regs.pc();
  p.enter(counted);
  EXPECT_EQ(find_caller(p.regs, p.memory, p.map).frame,
            Frame::at_address(wire::FrameKind::kUnreported, from));
}

TEST(Caller, IsNotToldOfCodeThatNobodyKnows) {
  FakeProcess p;
  p.enter(p.load(calling_method(), 1));
  p.regs.pc() = FakeProcess::kStub;
  EXPECT_EQ(find_caller(p.regs, p.memory, p.map).frame, Frame());
}

// The runtime lets the method return into a routine of its own, and keeps the address in its Thread object.
class HiddenCaller : public ::testing::Test {
 protected:
  HiddenCaller() : object_(kThreadObjectBytes / 8, 0x1234'5678) {
    const uint64_t caller = p_.load(calling_method(), 1), counted = p_.load(calling_method(), 2);
    p_.enter(caller);
    caller_ = FakeProcess::jitted_frame(1, p_.regs.pc() - caller);
    const uint64_t original = p_.regs.pc(), slot = p_.regs.sp() - 8;
    p_.enter(counted);
    *reinterpret_cast<uint64_t*>(slot) = kTripRoutine;
    object_[100] = original;
    object_[101] = slot;
    fall_back_ = p_.memory;
    p_.memory.slow = read;
    p_.memory.context = this;
  }
  static bool read(void* context, uint64_t address, void* to, size_t size) {
    auto* self = static_cast<HiddenCaller*>(context);
    if (address - kThreadObject < kThreadObjectBytes) {
      std::memcpy(to, reinterpret_cast<const char*>(self->object_.data()) + (address - kThreadObject), size);
      return true;
    }
    if (address == kTripRoutine - kLongestCall) {
      std::memset(to, 0x90, size);
      return true;
    }
    return self->fall_back_.slow(self->fall_back_.context, address, to, size);
  }

  FakeProcess p_;
  Memory fall_back_;
  std::vector<uint64_t> object_;
  Frame caller_;
};

TEST_F(HiddenCaller, IsFoundInTheThreadObject) {
  p_.memory.runtime_thread = kThreadObject;
  const FoundCaller found = find_caller(p_.regs, p_.memory, p_.map);
  EXPECT_EQ(found.frame, caller_);
  EXPECT_FALSE(found.lasting);
}

TEST_F(HiddenCaller, IsNotToldWhereTheObjectIsNotKnownOrSaysNothing) {
  EXPECT_EQ(find_caller(p_.regs, p_.memory, p_.map).frame, Frame());
  p_.memory.runtime_thread = kThreadObject;
  object_[101] += 8;
  EXPECT_EQ(find_caller(p_.regs, p_.memory, p_.map).frame, Frame());
}

}  // namespace
}  // namespace walkabout::unwind
