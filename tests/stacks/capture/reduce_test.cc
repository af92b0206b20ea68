#include "tests/stacks/capture/reduce.h"

#include <gtest/gtest.h>

#include "tests/stacks/check_stack.h"
#include "tests/stacks/fake_recording.h"

namespace walkabout::stacks {
namespace {

using testing::FakeProcess;
using testing::MixedStack;
using testing::record;

void expect_replays(const StackFile& file, const FakeProcess::Walked& walked, size_t leaf) {
  EXPECT_EQ(file.stacks[0].frames, walked.frames) << "leaf " << leaf;
  for (const Cfi cfi : {Cfi::kInterpreted, Cfi::kCompiled}) {
    const auto process = RecordedProcess::load(file, cfi);
    ASSERT_TRUE(process.ok()) << process.message();
    const unwind::MappedMemo memo = unwind::map_memo();
    EXPECT_EQ(check_stack(**process, file.stacks[0], memo.get()), "") << "leaf " << leaf;
  }
}

TEST(Reduce, WhatWasRecordedIsEnoughToWalkAgainWithoutTheProcess) {
  for (const bool through_signal : {false, true}) {
    std::vector<StackFile> files;
    std::vector<FakeProcess::Walked> walks;
    {
      const MixedStack stack(through_signal);
      for (const unwind::Registers& leaf : stack.leaves) {
        files.push_back(record(stack.process, leaf));
        walks.push_back(stack.process.walk_from(leaf));
        ASSERT_EQ(walks.back().outcome.end, wire::WalkEnd::kRooted);
      }
    }
    for (size_t i = 0; i < files.size(); ++i) expect_replays(files[i], walks[i], i);
  }
}

TEST(Reduce, ReadyToRunCodeAndStubsComeWithWhatTheirStepsRead) {
  FakeProcess process;
  const uint64_t method = process.load(unwind::testing::calling_method(), 1);
  process.enter(method);
  process.push(process.regs.pc());
  process.regs.pc() = FakeProcess::kStub;
  const StackFile file = record(process, process.regs);
  EXPECT_EQ(file.stacks[0].frames[0].kind(), wire::FrameKind::kStub);
  expect_replays(file, process.walk_from(process.regs), 0);
}

// Words of the stack that no walk reads may be anything of the program's.
TEST(Reduce, LeavesTheProgramsDataOut) {
  MixedStack stack;
  const unwind::Registers& leaf = stack.leaves.front();
  constexpr uint64_t kData = 0x6574697661746164;
  auto* below = reinterpret_cast<uint64_t*>(leaf.sp() - 64);
  below[0] = kData;
  below[1] = leaf.sp();
  const StackFile file = record(stack.process, leaf);
  const unwind::Memory memory = memory_of(file.stacks[0]);
  uint64_t word = 1;
  ASSERT_TRUE(memory.load64(leaf.sp() - 64, &word));
  EXPECT_EQ(word, 0u);
  ASSERT_TRUE(memory.load64(leaf.sp() - 56, &word));
  EXPECT_EQ(word, leaf.sp());
}

TEST(Reduce, CodeThatWasUnloadedMeanwhileIsNoRecording) {
  MixedStack stack;
  const auto captured = std::make_unique<CapturedWalk>();
  captured->begin();
  captured->leaf = stack.leaves.front();
  const unwind::ReaderGate::Reader inside(stack.process.gate);
  ASSERT_TRUE(trace(unwind::walk, stack.process.memory, stack.process.map, captured.get()));
  stack.process.jitted.retire(stack.leaves.front().pc());
  StackFile file;
  EXPECT_FALSE(reduce(*captured, stack.process.map, &file));
}

TEST(Trace, AStackThatReadsTooMuchIsNotCaptured) {
  FakeProcess process;
  for (uint32_t i = 0; i < kMaxFrames + 2; ++i) process.enter_native();
  const auto captured = std::make_unique<CapturedWalk>();
  captured->begin();
  captured->leaf = process.regs;
  const unwind::ReaderGate::Reader inside(process.gate);
  EXPECT_FALSE(trace(unwind::walk, process.memory, process.map, captured.get()));
}

}  // namespace
}  // namespace walkabout::stacks
