#include "agent/shared/mixed_stack.h"

#include <gtest/gtest.h>

#include "unwind/managed/fake_pe_process.h"

namespace walkabout::agent {
namespace {

using P = unwind::testing::FakePeProcess;
using wire::Frame;
using wire::WalkEnd;

// native leaf < native < managed < native callback's caller < managed < native entry
struct MixedStack : ::testing::Test {
  MixedStack() {
    process.push_frame(0, P::kDll + P::kPlain + 0x50);
    seed_sp = process.push_frame(P::kPlainWords, P::kMethod + 0x40);
    block_sp = process.push_frame(P::kMethodWords, P::kDll + P::kPlain + 0x60);
    process.push_frame(P::kPlainWords, P::kMethod + 0x80);
    entry_sp = process.push_frame(P::kMethodWords, P::kDll + P::kPlain + 0x70);
    process.push_frame(P::kPlainWords, 0);
    snapshot = {{true, P::at(P::kMethod + 0x40)},
                {false, P::at(P::kDll + P::kPlain + 0x60, block_sp)},
                {true, P::at(P::kMethod + 0x80)},
                {false, P::at(P::kDll + P::kPlain + 0x70, entry_sp)}};
  }
  const unwind::Registers leaf = P::at(P::kDll + P::kLeaf + 8);

  template <typename Walk>
  std::vector<Frame> frames(Walk walk) {
    std::vector<Frame> taken(100);
    unwind::FrameSink sink(taken.data(), 100);
    const unwind::Memory memory = process.memory();
    end = walk(memory, process.code(), sink);
    taken.resize(sink.finish());
    return taken;
  }
  std::vector<Frame> mixed(NativeFrames native) {
    return frames([&](auto& memory, auto code, auto& sink) {
      return mixed_stack(leaf, snapshot, memory, code, native, sink);
    });
  }
  std::vector<Frame> own(NativeFrames native) {
    return frames(
        [&](auto& memory, auto code, auto& sink) { return own_stack(leaf, memory, code, native, sink); });
  }

  P process;
  uint64_t seed_sp = 0, block_sp = 0, entry_sp = 0;
  std::vector<SnapshotFrame> snapshot;
  WalkEnd end = WalkEnd::kTooDeep;
};

TEST_F(MixedStack, HolesAreFilledFromTheirFirstFramesRegisters) {
  const std::vector<Frame> whole = {P::native(P::kLeaf + 8), P::native(P::kPlain + 0x50),
                                    P::managed(0x40),        P::native(P::kPlain + 0x60),
                                    P::managed(0x80),        P::native(P::kPlain + 0x70)};
  EXPECT_EQ(mixed(NativeFrames::kFull), whole);
  EXPECT_EQ(end, WalkEnd::kRooted);
  EXPECT_EQ(own(NativeFrames::kFull), whole);
  EXPECT_EQ(end, WalkEnd::kRooted);
}

TEST_F(MixedStack, HolesAreOneFrameEachOrNone) {
  const std::vector<Frame> holes = {kNativeBlock, P::managed(0x40), kNativeBlock, P::managed(0x80),
                                    kNativeBlock};
  EXPECT_EQ(mixed(NativeFrames::kHoles), holes);
  EXPECT_EQ(own(NativeFrames::kHoles), holes);
  const std::vector<Frame> none = {P::managed(0x40), P::managed(0x80)};
  EXPECT_EQ(mixed(NativeFrames::kNone), none);
  EXPECT_EQ(own(NativeFrames::kNone), none);
}

// The CLR reports a block at the leaf as well when it has no seed.
TEST_F(MixedStack, TheBlockAtTheLeafIsNotReportedTwice) {
  snapshot.insert(snapshot.begin(), {false, P::at(P::kDll + P::kPlain + 0x50, P::kStack + 8)});
  EXPECT_EQ(mixed(NativeFrames::kFull).size(), 6u);
}

TEST_F(MixedStack, WithoutItsLastBlockAStackIsNotWhole) {
  snapshot.pop_back();
  EXPECT_EQ(mixed(NativeFrames::kFull).size(), 5u);
  EXPECT_NE(end, WalkEnd::kRooted);
}

TEST_F(MixedStack, TheClrsFramesCountWhereTheTwoDiffer) {
  snapshot[2].registers.pc() = P::kMethod + 0x90;
  EXPECT_EQ(mixed(NativeFrames::kNone), (std::vector<Frame>{P::managed(0x40), P::managed(0x90)}));
}

TEST_F(MixedStack, TheSeedIsTheTopmostManagedFrame) {
  const unwind::Memory memory = process.memory();
  const unwind::PeCodeMap code = process.code();
  unwind::Registers seed;
  ASSERT_TRUE(find_seed(leaf, memory, code, {}, &seed));
  EXPECT_EQ(seed.pc(), P::kMethod + 0x40);
  EXPECT_EQ(seed.sp(), seed_sp);
}

// Broken by a walk that has read what lies above before it tells of the frame.
TEST_F(MixedStack, WhoIsToldOfTheTopmostManagedFrameMayChangeTheMemoryAboveIt) {
  struct Told {
    std::vector<uint64_t> sp;
    unwind::Memory memory;
  } told{{}, process.memory()};
  const TopmostManaged topmost{[](void* context, const unwind::Registers& frame) {
                                 auto* to = static_cast<Told*>(context);
                                 to->sp.push_back(frame.sp());
                                 to->memory.lo = to->memory.hi = 0;
                                 to->memory.slow = nullptr;
                               },
                               &told};
  std::vector<Frame> taken(100);
  unwind::FrameSink sink(taken.data(), 100);
  EXPECT_EQ(own_stack(leaf, told.memory, process.code(), NativeFrames::kFull, sink, topmost),
            WalkEnd::kBadMemory);
  EXPECT_EQ(told.sp, std::vector<uint64_t>{seed_sp});
  EXPECT_EQ(sink.finish(), 3u) << "up to the managed frame";
}

TEST_F(MixedStack, AManagedLeafIsTheSeedItself) {
  const unwind::Memory memory = process.memory();
  const unwind::PeCodeMap code = process.code();
  unwind::Registers seed;
  ASSERT_TRUE(find_seed(P::at(P::kMethod + 9), memory, code, {}, &seed));
  EXPECT_EQ(seed.pc(), P::kMethod + 9);
}

TEST_F(MixedStack, WhatTheClrDoesNotConfirmIsNoSeed) {
  const unwind::Memory memory = process.memory();
  const unwind::PeCodeMap code = process.code();
  const SeedCheck later{[](void*, uint64_t pc) { return pc == P::kMethod + 0x80; }, nullptr};
  unwind::Registers seed;
  ASSERT_TRUE(find_seed(leaf, memory, code, later, &seed));
  EXPECT_EQ(seed.sp(), process.top() - (P::kPlainWords + 1 + P::kMethodWords + 1) * 8);
  const SeedCheck never{[](void*, uint64_t) { return false; }, nullptr};
  EXPECT_FALSE(find_seed(leaf, memory, code, never, &seed));
}

TEST_F(MixedStack, ANativeThreadHasNoSeed) {
  P native;
  native.push_frame(P::kPlainWords, 0);
  const unwind::Memory memory = native.memory();
  const unwind::PeCodeMap code = native.code();
  unwind::Registers seed;
  EXPECT_FALSE(find_seed(P::at(P::kDll + P::kPlain + 0x50), memory, code, {}, &seed));
}

}  // namespace
}  // namespace walkabout::agent
