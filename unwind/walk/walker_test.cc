#include "unwind/walk/walker.h"

#include <gtest/gtest.h>

#include "unwind/walk/fake_process.h"

namespace walkabout::unwind {
namespace {

using namespace testing;  // the process's and the methods' spelling
using wire::Frame;
using wire::FrameKind;
using wire::WalkEnd;
using Process = FakeProcess;

TEST(Walker, MixedStackFromTheLeafToTheThreadsEntry) {
  for (const bool compiled : {false, true}) {
    Process p;
    if (compiled) p.compile_native();
    const uint64_t framed = p.load(calling_method(), 1),
                   frameless = p.load(calling_method_without_frame(), 2);
    std::vector<Frame> expected = {Process::native_frame(p.regs.pc())};
    for (const uint64_t method : {framed, frameless, framed}) {
      p.enter_native();
      expected.insert(expected.begin(), Process::native_frame(p.regs.pc()));
      p.enter(method);
      expected.insert(expected.begin(),
                      Process::jitted_frame(method == framed ? 1 : 2, p.regs.pc() - method));
    }
    p.enter_native();
    expected.insert(expected.begin(), Process::native_frame(p.regs.pc()));
    const auto walked = p.walk_from(p.regs);
    EXPECT_EQ(walked.outcome.end, WalkEnd::kRooted);
    EXPECT_EQ(walked.frames, expected);
  }
}

// At each instruction: prolog, body and epilog.
TEST(Walker, EveryInstructionOfAJittedLeafHasTheSameCallers) {
  for (const auto& [name, method] : typical_methods()) {
    Process p;
    const uint64_t caller = p.load(calling_method_without_frame(), 1), leaf = p.load(method, 2);
    p.enter(caller);
    const std::vector<Frame> callers = p.walk_from(p.regs).frames;
    ASSERT_EQ(callers.size(), 2u);
    for (const Registers& at : p.call(leaf)) {
      const auto walked = p.walk_from(at);
      ASSERT_EQ(walked.outcome.end, WalkEnd::kRooted) << name << " at " << at.pc() - leaf;
      ASSERT_EQ(walked.frames.size(), 3u) << name << " at " << at.pc() - leaf;
      EXPECT_EQ(walked.frames[0], Process::jitted_frame(2, at.pc() - leaf));
      EXPECT_TRUE(std::equal(callers.begin(), callers.end(), walked.frames.begin() + 1)) << name;
    }
  }
}

// A prolog that probes the stack calls: the frame is not whole then, though it is not the leaf.
TEST(Walker, ACallInsideAPrologIsSteppedOverByWhatWasDoneBeforeIt) {
  Process p;
  const uint64_t at = p.place({0x55, 0xe8, 0, 0, 0, 0, 0x48, 0x81, 0xec, 0, 0, 1, 0, 0x90});
  p.publish(at, at, 14, 1, pe_info({.prolog = 13}, {pe_alloc(13, 0x10000), pe_push(1, kPeRbp)}));
  p.push(p.regs.pc());
  p.push(p.regs.bp());
  p.regs.pc() = at + 6;
  p.enter_native();
  const MappedMemo memo = map_memo();
  for (WalkMemo* m : {static_cast<WalkMemo*>(nullptr), memo.get(), memo.get()}) {
    const auto walked = p.walk_from(p.regs, m);
    EXPECT_EQ(walked.outcome.end, WalkEnd::kRooted);
    EXPECT_EQ(walked.frames.size(), 3u);
  }
}

// On-stack replacement: the new code runs on top of the frame of the old one, which its UNWIND_INFO has at
// offset 0.
TEST(Walker, AnOsrMethodStandsOnTheFrameItReplaced) {
  Process p;
  const uint64_t at = p.place({0x53, 0x48, 0x83, 0xec, 0x20, 0x90, 0x90});  // push rbx, sub rsp, 32
  p.publish(
      at, at, 7, 1,
      pe_info({.prolog = 5}, {pe_alloc(5, 32), pe_push(1, kPeRbx), pe_alloc(0, 64), pe_push(0, kPeRbp)}));
  const Frame root = Process::native_frame(p.regs.pc());
  p.push(p.regs.pc());
  p.push(p.regs.bp());
  p.regs.sp() -= 64;
  const auto check = [&](uint64_t offset) {
    p.regs.pc() = at + offset;
    const auto walked = p.walk_from(p.regs);
    EXPECT_EQ(walked.outcome.end, WalkEnd::kRooted) << offset;
    EXPECT_EQ(walked.frames, (std::vector<Frame>{Process::jitted_frame(1, offset), root})) << offset;
  };
  check(0);
  p.push(p.regs.r[kRbx]);
  check(1);
  p.regs.sp() -= 32;
  check(5);
  check(6);
}

TEST(Walker, FuncletsHaveTheirOwnRuleAndTheMethodsName) {
  Process p;
  const FakeMethod
      main = calling_method(),
      funclet =
          FakeMethod().push(kPeRbp).push(kPeRbx).sub_rsp(8).call().add_rsp(8).pop(kPeRbx).pop(kPeRbp).ret();
  std::vector<uint8_t> code = main.code();
  code.insert(code.end(), funclet.code().begin(), funclet.code().end());
  const uint64_t at = p.place(code);
  const uint64_t second = at + main.code().size();
  p.publish(at, at, static_cast<uint32_t>(main.code().size()), 1, main.info());
  p.publish(second, at, static_cast<uint32_t>(funclet.code().size()), 1, funclet.info());
  p.push(p.regs.pc());
  for (const Registers& r : funclet.run(second, p.regs)) {
    const auto walked = p.walk_from(r);
    EXPECT_EQ(walked.outcome.end, WalkEnd::kRooted);
    ASSERT_EQ(walked.frames.size(), 2u);
    EXPECT_EQ(walked.frames[0], Process::jitted_frame(1, r.pc() - at));
  }
}

TEST(Walker, WhatASignalInterruptedIsWalkedFromItsExactPlace) {
  for (const auto& [name, method] : typical_methods()) {
    Process p;
    const uint64_t leaf = p.load(method, 2);
    const Frame root = Process::native_frame(p.regs.pc());
    const auto states = p.call(leaf);
    for (const Registers& at : states) {
      // The signal's frame would lie over the words below the stack pointer: they were popped and are not
      // needed.
      p.regs = at;
      p.interrupt();
      const Frame trampoline = Process::native_frame(p.regs.pc());
      p.enter_native();
      const auto walked = p.walk_from(p.regs);
      EXPECT_EQ(walked.outcome.end, WalkEnd::kRooted) << name << " at " << at.pc() - leaf;
      EXPECT_EQ(walked.frames, (std::vector<Frame>{Process::native_frame(p.regs.pc()), trampoline,
                                                   Process::jitted_frame(2, at.pc() - leaf), root}))
          << name << " at " << at.pc() - leaf;
      EXPECT_TRUE(walked.outcome.saw_managed);
    }
  }
}

TEST(Walker, AStubIsLeftByItsReturnAddress) {
  Process p;
  const uint64_t method = p.load(calling_method(), 1);
  p.enter(method);
  const auto callers = p.walk_from(p.regs).frames;
  p.push(p.regs.pc());
  p.regs.pc() = Process::kStub;
  const auto walked = p.walk_from(p.regs);
  EXPECT_EQ(walked.outcome.end, WalkEnd::kRooted);
  ASSERT_EQ(walked.frames.size(), callers.size() + 1);
  EXPECT_EQ(walked.frames[0], Frame::at_address(FrameKind::kStub, Process::kStub));
  EXPECT_TRUE(std::equal(callers.begin(), callers.end(), walked.frames.begin() + 1));
}

// libcoreclr's chain lookup is jumped to by the resolve stub, which has pushed a word or two by then; its CFI
// says the return address is the first.
TEST(Walker, WordsAStubPushedBeforeItJumpedToNativeCodeAreNoReturnAddress) {
  for (const bool with_memo : {false, true}) {
    for (const std::vector<uint64_t>& pushed : {std::vector<uint64_t>{1}, {1, 0x559fdcd26490}, {0}}) {
      Process p;
      WalkMemo memo{};
      p.enter(p.load(calling_method(), 1));
      const auto callers = p.walk_from(p.regs).frames;
      p.push(p.regs.pc());
      for (const uint64_t word : pushed) p.push(word);
      p.regs.pc() = Process::kLeaf + 4;
      const auto walked = p.walk_from(p.regs, with_memo ? &memo : nullptr);
      EXPECT_EQ(walked.outcome.end, WalkEnd::kRooted);
      ASSERT_EQ(walked.frames.size(), callers.size() + 1);
      EXPECT_EQ(walked.frames[0], Process::native_frame(Process::kLeaf + 4));
      EXPECT_TRUE(std::equal(callers.begin(), callers.end(), walked.frames.begin() + 1));
    }
  }
}

// Only what cannot be a return address is doubted.
TEST(Walker, ANativeLeafsCallerInUnknownCodeIsBelieved) {
  Process p;
  const uint64_t unknown = p.place({0xe8, 0, 0, 0, 0, 0x90}) + 5;  // behind a call, in no map
  p.enter(p.load(calling_method(), 1));
  p.push(p.regs.pc());
  p.push(unknown);
  p.regs.pc() = Process::kLeaf;
  const auto walked = p.walk_from(p.regs);
  ASSERT_GE(walked.frames.size(), 2u);
  EXPECT_EQ(walked.frames[1], Frame::at_address(FrameKind::kStub, unknown));
}

// A method that another thread has just compiled is in no map for a moment. It has no frame pointer: the one
// there is its caller's, which leads past that.
TEST(Walker, CallersThatUnknownCodeMayHaveAreMissedVisibly) {
  Process p;
  const uint64_t unknown = p.place({0xe8, 0, 0, 0, 0, 0x90}) + 5;
  const uint64_t method = p.load(calling_method(), 1);
  p.enter(method);
  const auto callers = p.walk_from(p.regs);
  p.enter(method);
  p.push(p.regs.pc());  // the unknown method's frame: a return address, and a word
  p.push(7);
  p.regs.pc() = unknown;
  p.enter_native();
  const auto walked = p.walk_from(p.regs);
  EXPECT_EQ(walked.outcome.end, WalkEnd::kGap);
  std::vector<Frame> expected{Process::native_frame(p.regs.pc()),
                              Frame::at_address(FrameKind::kStub, unknown), Frame::gap()};
  expected.insert(expected.end(), callers.frames.begin(), callers.frames.end());
  EXPECT_EQ(walked.frames, expected);
}

// With a frame pointer, and no word between that could be a return address, none are.
TEST(Walker, UnknownCodeWithAFramePointerOfItsOwnIsLeftForSure) {
  Process p;
  const uint64_t unknown = p.place({0xe8, 0, 0, 0, 0, 0x90}) + 5;
  p.enter(p.load(calling_method(), 1));
  const auto callers = p.walk_from(p.regs);
  p.push(p.regs.pc());
  p.push(p.regs.bp());
  p.regs.bp() = p.regs.sp();
  for (const uint64_t word : {uint64_t{0}, uint64_t{7}, p.regs.sp()}) p.push(word);
  p.regs.pc() = unknown;
  p.enter_native();
  const auto walked = p.walk_from(p.regs);
  EXPECT_EQ(walked.outcome.end, WalkEnd::kRooted);
  ASSERT_EQ(walked.frames.size(), callers.frames.size() + 2);
  EXPECT_TRUE(std::equal(callers.frames.begin(), callers.frames.end(), walked.frames.begin() + 2));
}

TEST(Walker, TheLeafMostManagedFrameIsTheSeed) {
  Process p;
  const uint64_t method = p.load(calling_method(), 1);
  p.enter(method);
  p.enter(method);
  const Registers seed = p.regs;
  p.enter_native();
  const auto walked = p.walk_from(p.regs);
  ASSERT_TRUE(walked.outcome.saw_managed);
  EXPECT_EQ(walked.outcome.first_managed.pc(), seed.pc());
  EXPECT_EQ(walked.outcome.first_managed.sp(), seed.sp());
  EXPECT_EQ(walked.outcome.first_managed.bp(), seed.bp());
}

TEST(Walker, AStackDeeperThanTheLimitKeepsItsEndsAndCountsTheRest) {
  Process p;
  const uint64_t method = p.load(calling_method(), 1);
  for (int i = 0; i < 300; ++i) p.enter(method);
  const auto whole = p.walk_from(p.regs);
  ASSERT_EQ(whole.frames.size(), 301u);
  const auto cut = p.walk_from(p.regs, nullptr, 16);
  EXPECT_EQ(cut.outcome.end, WalkEnd::kRooted);
  EXPECT_EQ(cut.total, 301u);
  ASSERT_EQ(cut.frames.size(), 16u);
  EXPECT_EQ(cut.frames[8], Frame::at_address(FrameKind::kLeftOut, 301 - 15));
  EXPECT_TRUE(std::equal(cut.frames.begin(), cut.frames.begin() + 8, whole.frames.begin()));
  EXPECT_TRUE(std::equal(cut.frames.begin() + 9, cut.frames.end(), whole.frames.end() - 7));
}

TEST(Walker, EveryWayToEndEarly) {
  Process p;
  const uint64_t method = p.load(calling_method(), 1);
  p.enter(method);
  Registers off = p.regs;
  off.bp() = Process::kNowhere;
  EXPECT_EQ(p.walk_from(off).outcome.end, WalkEnd::kBadMemory);

  Registers back = p.regs;
  back.bp() -= 256;
  EXPECT_EQ(p.walk_from(back).outcome.end, WalkEnd::kNoProgress)
      << "the frame register points below the stack";

  p.push(12);  // where native code returns to
  p.regs.sp() -= 8;
  p.regs.pc() = Process::kFrame;
  const auto bad = p.walk_from(p.regs);
  EXPECT_EQ(bad.outcome.end, WalkEnd::kBadReturn);
  EXPECT_EQ(bad.outcome.failed_pc, Process::kFrame);

  Registers lost;
  lost.pc() = Process::kStub;
  lost.sp() = p.memory.lo + 64;  // zeros
  lost.bp() = 0;
  const auto nowhere = p.walk_from(lost);
  EXPECT_EQ(nowhere.outcome.end, WalkEnd::kNoUnwindInfo);
  EXPECT_EQ(nowhere.frames.size(), 1u);
  EXPECT_FALSE(nowhere.outcome.saw_managed);
}

TEST(Walker, SignalFramesInACircleEnd) {
  Process p;
  p.interrupt();
  p.regs.sp() += 24;  // in place of what was interrupted: the trampoline itself
  p.push(p.regs.pc());
  p.push(p.regs.sp() - 16);
  p.push(0);
  ASSERT_EQ(p.words()[(p.regs.sp() - p.memory.lo) / 8 + 1], p.regs.sp());
  const auto walked = p.walk_from(p.regs);
  EXPECT_EQ(walked.outcome.end, WalkEnd::kNoProgress);
  EXPECT_EQ(walked.total, kMaxStackSwitches + 1u)
      << "an alternate stack or two is left, a circle is not followed";
}

TEST(Walker, AFlagReportsThatTheJitCompilerIsOnTheStack) {
  for (const bool compiled : {false, true}) {
    Process p;
    if (compiled) p.compile_native();
    p.enter_native();
    EXPECT_FALSE(p.walk_from(p.regs).outcome.jit_compiler);
    p.native().jit_compiler = true;
    EXPECT_TRUE(p.walk_from(p.regs).outcome.jit_compiler);
  }
}

TEST(Walker, AModuleTheMapDoesNotKnowYetIsRequested) {
  static CfiSection fresh;
  Process p;
  const SectionWriter writer = one_function({0x0e, 32});
  fresh = writer.section();
  p.native().begin = p.native().end = 0;
  p.images.remove(&p.native());
  p.map.find_new_module = [](uint64_t pc, CfiSection* cfi) {
    *cfi = fresh;
    return pc >= SectionWriter::kText && pc < SectionWriter::kText + 256;
  };
  const uint64_t method = p.load(calling_method(), 1);
  p.enter(method);
  p.push(p.regs.pc());
  p.regs.sp() -= 24;
  p.regs.pc() = SectionWriter::kText + 8;
  const auto walked = p.walk_from(p.regs);
  ASSERT_GE(walked.frames.size(), 2u);
  EXPECT_EQ(walked.frames[0], Frame::at_address(FrameKind::kStub, SectionWriter::kText + 8)) << "named later";
  EXPECT_EQ(walked.frames[1].kind(), FrameKind::kJitted);
}

TEST(Walker, NamesAddresses) {
  Process p;
  const uint64_t method = p.load(calling_method(), 7);
  const auto size = static_cast<uint32_t>(calling_method().code().size());
  EXPECT_EQ(name_address(p.map, method + 3, true), Process::jitted_frame(7, 3));
  EXPECT_EQ(name_address(p.map, method + size, false), Process::jitted_frame(7, size))
      << "a call may be the last instruction";
  EXPECT_EQ(name_address(p.map, method + size, true).kind(), FrameKind::kStub);
  EXPECT_EQ(name_address(p.map, Process::kFrame, true), Process::native_frame(Process::kFrame));
}

}  // namespace
}  // namespace walkabout::unwind
