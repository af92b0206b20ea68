#include "unwind/walk/blocked_walk.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "unwind/walk/fake_process.h"

namespace walkabout::unwind {
namespace {

using testing::calling_method;
using testing::calling_method_without_frame;
using testing::FakeMethod;
using testing::FakeProcess;
using wire::Frame;
using wire::WalkEnd;

struct Blocked {
  BlockedWalk walk;
  std::vector<Frame> frames;
};

// The current frame has called libc, which is in a system call: all that is known of it are sp and pc.
Blocked walk_from_call(FakeProcess& process, WalkMemo* memo = nullptr) {
  process.enter_native();
  FrameSizes sizes;
  std::vector<Frame> frames(64);
  const ReaderGate::Reader inside(process.gate);
  Blocked blocked;
  blocked.walk =
      walk_blocked(process.regs.pc(), process.regs.sp(), process.memory, process.map, sizes, frames, memo);
  frames.resize(blocked.walk.frames);
  blocked.frames = std::move(frames);
  return blocked;
}

void expect_whole(FakeProcess& process, const Blocked& blocked) {
  const auto true_walk = process.walk_from(process.regs);
  ASSERT_EQ(true_walk.outcome.end, WalkEnd::kRooted);
  EXPECT_EQ(blocked.walk.end, WalkEnd::kRooted);
  EXPECT_EQ(blocked.frames, true_walk.frames);
}

TEST(BlockedWalk, NativeFramesNeedNoOtherRegister) {
  FakeProcess process;
  process.enter_native();
  process.enter_native();
  expect_whole(process, walk_from_call(process));
}

TEST(BlockedWalk, ACallerWithoutAFrameRegisterNeedsNone) {
  FakeProcess process;
  process.enter(process.load(calling_method_without_frame(), 1));
  expect_whole(process, walk_from_call(process));
}

TEST(BlockedWalk, ACallersFramePointerIsFoundByTheSizeOfItsFrame) {
  FakeProcess process;
  process.enter_native();
  process.enter(process.load(calling_method(), 1));
  process.enter(process.load(calling_method_without_frame(), 2));
  process.enter(process.load(calling_method(), 3));
  expect_whole(process, walk_from_call(process));
}

TEST(BlockedWalk, AMemoOfManyThreadsChangesNothing) {
  MappedMemo memo = map_memo();
  std::vector<std::unique_ptr<FakeProcess>> processes;  // what the memo remembers of their code stays
  for (int i = 0; i < 3; ++i) {
    FakeProcess& process = *processes.emplace_back(std::make_unique<FakeProcess>());
    process.enter(process.load(calling_method(), 1));
    if (i != 1) process.enter(process.load(calling_method(), 3));
    expect_whole(process, walk_from_call(process, memo.get()));
    expect_whole(process, walk_from_call(process, memo.get()));
  }
}

TEST(BlockedWalk, LargeFramesHaveLargeEpilogs) {
  FakeProcess process;
  process.enter(process.load(FakeMethod()
                                 .push(testing::kPeRbp)
                                 .push(testing::kPeR15)
                                 .sub_rsp_long(0x208)
                                 .lea_rbp(0x40)
                                 .clobber(testing::kPeR15)
                                 .call()
                                 .nop()
                                 .add_rsp_long(0x208)
                                 .pop(testing::kPeR15)
                                 .pop(testing::kPeRbp)
                                 .ret(),
                             1));
  process.regs.sp() &= ~uint64_t{15};
  expect_whole(process, walk_from_call(process));
}

// Its frame may have grown since.
TEST(BlockedWalk, AFrameThatMayHaveGrownEndsTheWalk) {
  FakeProcess process;
  process.enter(process.load(FakeMethod()
                                 .push(testing::kPeRbp)
                                 .push(testing::kPeRbx)
                                 .sub_rsp(24)
                                 .lea_rbp(32)
                                 .clobber(testing::kPeRbx)
                                 .call()
                                 .nop()
                                 .lea_rsp_rbp(-8)
                                 .pop(testing::kPeRbx)
                                 .pop(testing::kPeRbp)
                                 .ret(),
                             1));
  const Blocked blocked = walk_from_call(process);
  EXPECT_NE(blocked.walk.end, WalkEnd::kRooted);
  EXPECT_EQ(blocked.frames.size(), 2u);  // libc's and the one that called it
}

TEST(BlockedWalk, ACallerWithoutAnEpilogProvesNothing) {
  FakeProcess process;
  process.enter(
      process.load(FakeMethod().push(testing::kPeRbp).sub_rsp(16).lea_rbp(16).call().nop().nop(), 1));
  EXPECT_EQ(walk_from_call(process).walk.end, WalkEnd::kBadMemory);
}

TEST(BlockedWalk, EpilogsThatDifferProveNothing) {
  FakeProcess process;
  process.enter(process.load(FakeMethod()
                                 .push(testing::kPeRbp)
                                 .sub_rsp(16)
                                 .lea_rbp(16)
                                 .call()
                                 .nop()
                                 .add_rsp(16)
                                 .pop(testing::kPeRbp)
                                 .ret()
                                 .add_rsp(32)
                                 .pop(testing::kPeRbp)
                                 .ret(),
                             1));
  EXPECT_EQ(walk_from_call(process).walk.end, WalkEnd::kBadMemory);
}

// What is on the stack looks like a frame of the right size, but leads nowhere.
TEST(BlockedWalk, AFramePointerThatReachesNoEntryIsNotBelieved) {
  FakeProcess process;
  process.enter(process.load(calling_method(), 1));
  const uint64_t slot = process.regs.bp() + 0x18 + 8;  // its return address
  ASSERT_GE(process.memory.hi, slot);
  for (uint64_t at = process.regs.sp(); at + 8 <= process.memory.hi; at += 8)
    *reinterpret_cast<uint64_t*>(at) = FakeProcess::kNowhere;
  EXPECT_EQ(walk_from_call(process).walk.end, WalkEnd::kBadMemory);
}

}  // namespace
}  // namespace walkabout::unwind
