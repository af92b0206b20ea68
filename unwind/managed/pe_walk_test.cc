#include "unwind/managed/pe_walk.h"

#include <gtest/gtest.h>

#include <random>

#include "unwind/code/frame_sink.h"
#include "unwind/managed/fake_pe_process.h"

namespace walkabout::unwind {
namespace {

using P = testing::FakePeProcess;
using wire::Frame;
using wire::WalkEnd;

constexpr uint64_t kEndless = 1u << 16;

struct Walked {
  std::vector<Frame> frames;
  WalkEnd end;
  uint64_t all;  // also those for which there was no room
};

Walked walk(P& process, const Registers& leaf) {
  Walked walked;
  walked.frames.resize(1000);
  FrameSink sink(walked.frames.data(), 1000);
  const Memory memory = process.memory();
  const PeCodeMap code = process.code();
  PeWalk walk(leaf, true, memory, code);
  do {
    sink.push(walk.frame());
  } while (sink.total() < kEndless && walk.step());
  walked.end = walk.end();
  walked.all = sink.total();
  walked.frames.resize(sink.finish());
  return walked;
}

TEST(PeWalk, FromALeafWithoutUnwindDataThroughManagedCodeToTheEntry) {
  P process;
  process.push_frame(0, P::kDll + P::kPlain + 0x50);
  process.push_frame(P::kPlainWords, P::kMethod + 0x40);
  process.push_frame(P::kMethodWords, P::kDll + P::kPlain + 0x60);
  process.push_frame(P::kPlainWords, 0);
  const Walked walked = walk(process, P::at(P::kDll + P::kLeaf + 8));
  EXPECT_EQ(walked.end, WalkEnd::kRooted);
  EXPECT_EQ(walked.frames, (std::vector<Frame>{P::native(P::kLeaf + 8), P::native(P::kPlain + 0x50),
                                               P::managed(0x40), P::native(P::kPlain + 0x60)}));
}

TEST(PeWalk, InAPrologOnlyWhatIsDoneIsUndone) {
  P process;
  process.push_frame(0, P::kMethod + 0x40);
  process.push_frame(P::kMethodWords, 0);
  const Walked walked = walk(process, P::at(P::kDll + P::kPlain + 2));
  EXPECT_EQ(walked.end, WalkEnd::kRooted);
  EXPECT_EQ(walked.frames, (std::vector<Frame>{P::native(P::kPlain + 2), P::managed(0x40)}));
}

TEST(PeWalk, AFramePointerGivesWhereTheFrameIs) {
  P process;
  process.words = {1, 2, 3};  // alloca
  const uint64_t frame = process.top();
  process.words.insert(process.words.end(), {8, 8, /* saved rbp */ 0x1234, P::kMethod + 0x20});
  process.push_frame(P::kMethodWords, 0);
  Registers leaf = P::at(P::kDll + P::kFramed + 0x30);
  leaf.bp() = frame;
  EXPECT_EQ(walk(process, leaf).frames, (std::vector<Frame>{P::native(P::kFramed + 0x30), P::managed(0x20)}));
}

// The interrupted pc is exact: it may be a function's first instruction.
TEST(PeWalk, BehindAnExceptionThePcIsNoReturnAddress) {
  P process;
  process.words = {0, 0, P::kMethod, 0x33, 0x202, 0, 0x2b};  // locals; rip cs eflags rsp ss
  process.words[5] = process.top();
  process.push_frame(0, P::kDll + P::kPlain + 0x10);
  process.push_frame(P::kPlainWords, 0);
  const Walked walked = walk(process, P::at(P::kDll + P::kDispatcher + 0x10));
  EXPECT_EQ(walked.end, WalkEnd::kRooted);
  EXPECT_EQ(walked.frames, (std::vector<Frame>{P::native(P::kDispatcher + 0x10), P::managed(0),
                                               P::native(P::kPlain + 0x10)}));
}

TEST(PeWalk, MachineFramesThatLeadInACircleEnd) {
  P process;
  process.words = {0, 0, P::kDll + P::kDispatcher + 1, 0x33, 0x202, P::kStack, 0x2b};
  EXPECT_EQ(walk(process, P::at(P::kDll + P::kDispatcher + 1)).end, WalkEnd::kNoProgress);
}

// rsp pushed by coreclr.dll's routine for hijacked returns, which its unwind data does not know of.
TEST(PeWalk, APushedStackPointerIsNoReturnAddress) {
  P process;
  process.push_frame(P::kPlainWords, 0);
  process.words.back() = process.top() + 8;
  process.push_frame(0, P::kMethod + 0x40);
  process.push_frame(P::kMethodWords, 0);
  const Walked walked = walk(process, P::at(P::kDll + P::kPlain + 0x50));
  EXPECT_EQ(walked.end, WalkEnd::kRooted);
  EXPECT_EQ(walked.frames, (std::vector<Frame>{P::native(P::kPlain + 0x50), P::managed(0x40)}));
}

TEST(PeWalk, AReturnAddressInTheStackThatIsNotItsPointerIsBelieved) {
  P process;
  process.push_frame(P::kPlainWords, 0);
  process.words.back() = process.top() + 16;
  process.push_frame(0, P::kMethod + 0x40);
  process.push_frame(P::kMethodWords, 0);
  EXPECT_EQ(walk(process, P::at(P::kDll + P::kPlain + 0x50)).end, WalkEnd::kNoUnwindInfo);
}

TEST(PeWalk, APushedStackPointerAtTheStacksEnd) {
  P process;
  process.push_frame(P::kPlainWords, 0);
  process.words.back() = process.top() + 8;
  EXPECT_EQ(walk(process, P::at(P::kDll + P::kPlain + 0x50)).end, WalkEnd::kNoUnwindInfo);
}

TEST(PeWalk, UnknownCodeEndsTheWalkWhereItIsNotTheLeaf) {
  P process;
  process.push_frame(0,
                     P::kMethod + 0x40);  // the leaf: a stub nobody knows, which keeps nothing on the stack
  process.push_frame(P::kMethodWords, 0x99'0000'0000);
  process.push_frame(8, 0);
  const Walked walked = walk(process, P::at(0x98'0000'0000));
  EXPECT_EQ(walked.end, WalkEnd::kNoUnwindInfo);
  ASSERT_EQ(walked.frames.size(), 3u);
  EXPECT_EQ(walked.frames[1], P::managed(0x40));
  EXPECT_EQ(walked.frames[2], Frame::at_address(wire::FrameKind::kStub, 0x99'0000'0000));
}

TEST(PeWalk, DynamicTablesAreSearchedForCodeNoMapKnows) {
  P process;
  process.push_frame(2, P::kMethod + 0x40);
  process.push_frame(P::kMethodWords, 0);
  PeCodeMap code = process.code();
  code.find_dynamic = [](uint64_t pc, DynamicFunction* f) {
    const auto info = testing::pe_info({}, {testing::pe_alloc(0, 16)});
    f->begin = pc & ~0xfffull, f->size = 0x1000, f->info_size = static_cast<uint32_t>(info.size());
    std::copy(info.begin(), info.end(), f->info);
    return true;
  };
  const Memory memory = process.memory();
  PeWalk walk(P::at(0x98'0000'0010), true, memory, code);
  ASSERT_TRUE(walk.step());
  EXPECT_EQ(walk.frame(), P::managed(0x40));
}

TEST(PeWalk, AStackOfAnyWordsEnds) {
  std::minstd_rand random(1);
  const uint64_t interesting[] = {0,
                                  1,
                                  P::kMethod + 5,
                                  P::kMethod + 0x50,
                                  P::kDll + P::kPlain + 3,
                                  P::kDll + P::kFramed + 9,
                                  P::kDll + P::kLeaf + 4,
                                  P::kDll + P::kDispatcher + 7,
                                  P::kStack,
                                  P::kStack + 64,
                                  ~0ull};
  for (int i = 0; i < 5000; ++i) {
    P process;
    for (int w = 0; w < 100; ++w) process.words.push_back(interesting[random() % std::size(interesting)]);
    Registers leaf = P::at(interesting[2 + random() % 6]);
    leaf.bp() = interesting[random() % std::size(interesting)];
    const Walked walked = walk(process, leaf);
    EXPECT_LT(walked.all, kEndless);
  }
}

}  // namespace
}  // namespace walkabout::unwind
