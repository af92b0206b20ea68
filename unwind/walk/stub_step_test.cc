#include "unwind/walk/stub_step.h"

#include <gtest/gtest.h>

#include "unwind/walk/fake_process.h"

namespace walkabout::unwind {
namespace {

using namespace testing;  // the process's spelling

class StubStep : public ::testing::Test {
 protected:
  StubStep() {
    p_.enter(p_.load(calling_method(), 1));
    caller_ = p_.regs;
    p_.push(caller_.pc());
    p_.regs.pc() = FakeProcess::kStub;
  }
  Step step(bool interrupted) { return step_stub(interrupted, p_.map, nullptr, p_.regs, p_.memory); }

  FakeProcess p_;
  Registers caller_;
};

TEST_F(StubStep, TheFirstStackWordsAreTriedInOrder) {
  for (int words = 0; words < kStubWords; ++words) {
    ASSERT_EQ(step(true), Step::kStepped) << words;
    EXPECT_EQ(p_.regs.pc(), caller_.pc());
    EXPECT_EQ(p_.regs.sp(), caller_.sp());
    EXPECT_EQ(p_.regs.bp(), caller_.bp());
    p_.push(caller_.pc());
    for (int n = 0; n <= words; ++n) p_.push(0x1234);
  }
}

TEST_F(StubStep, AWordCountsOnlyBehindACallInKnownCode) {
  p_.push(FakeProcess::kStub + 8);  // no known code
  p_.push(caller_.pc() - 1);        // known code, but no call ends there
  p_.push(3);                       // near zero
  ASSERT_EQ(step(true), Step::kStepped);
  EXPECT_EQ(p_.regs.pc(), caller_.pc());
}

TEST_F(StubStep, AFrameThatIsNotTheLeafIsLeftByItsFramePointer) {
  p_.push(caller_.bp());
  p_.regs.bp() = p_.regs.sp();
  for (int n = 0; n < 20; ++n) p_.push(caller_.pc());  // its words are not guessed at
  ASSERT_EQ(step(false), Step::kStepped);
  EXPECT_EQ(p_.regs.pc(), caller_.pc());
  EXPECT_EQ(p_.regs.sp(), caller_.sp());
  EXPECT_EQ(p_.regs.bp(), caller_.bp());
}

TEST_F(StubStep, AnUnverifiedFramePointerIsNotFollowed) {
  const uint64_t sp = p_.regs.sp();
  p_.push(0);
  p_.push(77);  // no return address
  p_.push(0);
  p_.regs.bp() = p_.regs.sp();
  const auto before = values(p_.regs);
  EXPECT_EQ(step(false), Step::kNoRule);
  EXPECT_EQ(values(p_.regs), before);
  p_.regs.bp() = sp - 64;
  EXPECT_EQ(step(false), Step::kNoRule) << "below the stack pointer";
  p_.regs.bp() = sp + 4;
  EXPECT_EQ(step(false), Step::kNoRule) << "not aligned";
  p_.regs.bp() = FakeProcess::kNowhere;
  EXPECT_EQ(step(false), Step::kBadMemory);
}

TEST_F(StubStep, AStackThatCannotBeReadIsReported) {
  p_.regs.sp() = FakeProcess::kNowhere;
  EXPECT_EQ(step(true), Step::kBadMemory);
}

}  // namespace
}  // namespace walkabout::unwind
