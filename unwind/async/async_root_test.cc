#include "unwind/async/async_root.h"

#include <gtest/gtest.h>

#include <vector>

#include "unwind/async/fake_heap.h"
#include "unwind/machine/test_memory.h"

namespace walkabout::unwind {
namespace {

using testing::FakeHeap;
using wire::AsyncUnknown;
using wire::Frame;

// Code ids of the stacks' methods.
constexpr uint32_t kOrdinary = 1, kStarter = 2, kUnseen = 3, kOpaque = 4, kCore = 5, kMoveNext = 10;

Frame frame(uint32_t code, uint32_t offset = 0x20) {
  return Frame::in_code(wire::FrameKind::kJitted, base::CodeId(code), offset);
}
Frame move_next(uint32_t machine) { return frame(kMoveNext + machine); }

// A stack of frames of 16 words each, leaf first.
class AsyncRootTest : public ::testing::Test {
 protected:
  static constexpr size_t kFrameWords = 16;

  AsyncRootTest() {
    heap.methods.set_code(base::CodeId(kOrdinary), kRoleOrdinary);
    heap.methods.set_code(base::CodeId(kStarter), kRoleStarter);
    heap.methods.set_code(base::CodeId(kOpaque), kRoleOpaque);
    for (uint32_t m = 0; m < FakeHeap::kMachines; ++m)
      heap.methods.set_code(base::CodeId(kMoveNext + m), kFirstMachine + m);
  }

  void stack(const std::vector<Frame>& leaf_first) {
    frames = leaf_first;
    words.assign(frames.size() * kFrameWords, 0);
    sps.clear();
    for (size_t i = 0; i < frames.size(); ++i) sps.push_back(word_address(i, 0));
    registers = {};
    registers.sp() = sps[0];
  }
  uint64_t word_address(size_t frame_number, size_t word) const {
    return reinterpret_cast<uint64_t>(words.data() + frame_number * kFrameWords + word);
  }
  void put(size_t frame_number, size_t word, uint64_t value) {
    words[frame_number * kFrameWords + word] = value;
  }
  AsyncRoot find() {
    HeapReader reader = heap.reader();
    const Memory memory = testing::memory_of(words.data(), words.size() * 8);
    return find_resumed({registers, memory, frames, sps, memory.lo, memory.hi}, heap.known(), reader);
  }
  AsyncStack find_chain() {
    HeapReader reader = heap.reader();
    const Memory memory = testing::memory_of(words.data(), words.size() * 8);
    awaiters.assign(4, Frame());
    const AsyncStack found =
        find_awaiters({registers, memory, frames, sps, memory.lo, memory.hi}, heap.known(), reader, awaiters);
    awaiters.resize(found.count);
    return found;
  }
  // The pointer that a MoveNext runs with.
  static uint64_t within(uint64_t box) { return box + FakeHeap::kMachineAt; }

  FakeHeap heap;
  std::vector<Frame> frames, awaiters;
  std::vector<uint64_t> words, sps;
  Registers registers;
};

TEST_F(AsyncRootTest, NoAsyncMethod) {
  stack({frame(kOrdinary), frame(kOrdinary)});
  EXPECT_EQ(find().found, AsyncFind::kNone);
  EXPECT_EQ(find_chain().joint, 0u);
}

TEST_F(AsyncRootTest, PointerInItsFrame) {
  stack({frame(kOrdinary), move_next(1), frame(kOrdinary)});
  const uint64_t box = heap.box(1, kRunning, heap.box(2, 7, 0));
  put(1, 3, within(box));
  const AsyncRoot root = find();
  EXPECT_EQ(root.found, AsyncFind::kFound);
  EXPECT_EQ(root.joint, 2u);
  EXPECT_EQ(root.method.address, box);
  EXPECT_EQ(find_chain().joint, 2u);
  EXPECT_EQ(awaiters, std::vector{FakeHeap::awaits(2, 7)});
}

TEST_F(AsyncRootTest, PointerInARegisterOfTheLeaf) {
  stack({move_next(1), frame(kOrdinary)});
  const uint64_t box = heap.box(1, kRunning, 0);
  registers.r[0] = within(box);
  EXPECT_EQ(find().method.address, box);
}

TEST_F(AsyncRootTest, PointerInASavedRegister) {
  stack({frame(kOrdinary), move_next(1), frame(kOrdinary)});
  const uint64_t box = heap.box(1, kRunning, 0);
  registers.r[kSavedRegisters[0]] = within(box);
  EXPECT_EQ(find().method.address, box);
}

TEST_F(AsyncRootTest, PointerSavedBelowTheFramesThatAreShown) {
  stack({frame(kOrdinary), move_next(1), frame(kOrdinary)});
  const uint64_t box = heap.box(1, kRunning, 0);
  put(0, 5, within(box));
  frames.erase(frames.begin());
  sps.erase(sps.begin());
  EXPECT_EQ(find().method.address, box);
}

TEST_F(AsyncRootTest, PointerSavedByACallee) {
  stack({frame(kOrdinary), frame(kOrdinary), move_next(1), frame(kOrdinary)});
  const uint64_t box = heap.box(1, kRunning, 0);
  put(0, 5, within(box));
  EXPECT_EQ(find().method.address, box);
}

TEST_F(AsyncRootTest, StartedMethodHasItsCallerOnTheStack) {
  stack({move_next(1), frame(kStarter), move_next(2), frame(kOrdinary)});
  put(0, 1, within(heap.box(1, kRunning, 0)));  // left behind
  const uint64_t outer = heap.box(2, kRunning, 0);
  put(2, 1, within(outer));
  const AsyncRoot root = find();
  EXPECT_EQ(root.found, AsyncFind::kFound);
  EXPECT_EQ(root.joint, 3u);
  EXPECT_EQ(root.method.address, outer);
}

TEST_F(AsyncRootTest, StartedAndInlinedIntoAnotherMoveNext) {
  stack({move_next(1), move_next(2), frame(kStarter), frame(kOrdinary)});
  EXPECT_EQ(find().found, AsyncFind::kNone);
}

// Not the outer one: the inner one was run on by what the outer one completed, and is not its callee.
TEST_F(AsyncRootTest, ResumedWithoutPointerIsUnknown) {
  stack({frame(kOrdinary), move_next(1), frame(kOrdinary), move_next(2), frame(kOrdinary)});
  put(3, 1, within(heap.box(2, kRunning, 0)));
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
  EXPECT_EQ(find().joint, 2u);
  EXPECT_EQ(find_chain().joint, 2u);
  EXPECT_EQ(awaiters, std::vector{Frame::async_unknown(AsyncUnknown::kNoMachine)});
}

// A method that runs completed what another call of it awaits, and its pointer is in a register still.
TEST_F(AsyncRootTest, PointerThatACallerLeftInARegisterIsNotEnough) {
  stack({frame(kOrdinary), move_next(1), frame(kOrdinary), move_next(1), frame(kOrdinary)});
  const uint64_t callers = heap.box(1, kRunning, 0), own = heap.box(1, kRunning, 0);
  put(1, 12, within(callers));
  put(3, 3, within(callers));
  put(0, 5, within(own));
  EXPECT_EQ(find().why, AsyncUnknown::kSeveral);
  put(1, 3, within(own));
  EXPECT_EQ(find().why, AsyncUnknown::kSeveral);
  put(1, 12, 0);
  EXPECT_EQ(find().method.address, own);
}

TEST_F(AsyncRootTest, BoxOfAnotherMethodIsNone) {
  stack({move_next(1), frame(kOrdinary)});
  put(0, 1, within(heap.box(2, kRunning, 0)));
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
}

TEST_F(AsyncRootTest, PointerToTheBoxItselfIsNone) {
  stack({move_next(1), frame(kOrdinary)});
  put(0, 1, heap.box(1, kRunning, 0));
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
}

TEST_F(AsyncRootTest, SuspendedOneWasLeftBehind) {
  stack({move_next(1), frame(kOrdinary)});
  put(0, 1, within(heap.box(1, 3, 0)));
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
  const uint64_t box = heap.box(1, kRunning, 0);
  put(0, 2, within(box));
  EXPECT_EQ(find().method.address, box);
}

TEST_F(AsyncRootTest, TwoThatRunAreNone) {
  stack({move_next(1), frame(kOrdinary)});
  put(0, 1, within(heap.box(1, kRunning, 0)));
  put(0, 2, within(heap.box(1, kRunning, 0)));
  EXPECT_EQ(find().why, AsyncUnknown::kSeveral);
}

TEST_F(AsyncRootTest, TheSameTwiceIsOne) {
  stack({move_next(1), frame(kOrdinary)});
  const uint64_t box = heap.box(1, kRunning, 0);
  put(0, 1, within(box));
  put(0, 2, within(box));
  EXPECT_EQ(find().method.address, box);
}

TEST_F(AsyncRootTest, FinishedMethod) {
  stack({frame(kOrdinary), move_next(1), frame(kOrdinary)});
  put(1, 1, within(heap.box(1, kFinished, heap.box(2, 0, 0))));
  EXPECT_EQ(find().found, AsyncFind::kReturned);
  EXPECT_EQ(find_chain().joint, 2u);
  EXPECT_EQ(awaiters, std::vector{Frame::async_completed()});
  put(0, 1, within(heap.box(1, kRunning, 0)));  // it may be this one, whose pointer a callee saved
  EXPECT_EQ(find().why, AsyncUnknown::kSeveral);
}

TEST_F(AsyncRootTest, MachineThatIsAnObject) {
  heap.machines[3].is_object = true;
  stack({move_next(3), frame(kOrdinary)});
  const FakeHeap::Pair iterator = heap.iterator(3, kRunning, heap.box(2, 1, 0));
  put(0, 4, iterator.machine);
  EXPECT_EQ(find().method.address, iterator.machine);
  EXPECT_EQ(find_chain().count, 1u);
  EXPECT_EQ(awaiters, std::vector{FakeHeap::awaits(2, 1)});
}

// What an iterator over a tree has: others of its class, which wait.
TEST_F(AsyncRootTest, MachineThatIsAnObjectAmongItsLike) {
  heap.machines[3].is_object = true;
  stack({move_next(3), frame(kOrdinary)});
  put(0, 1, heap.iterator(3, 0, 0).machine);
  const uint64_t running = heap.iterator(3, kRunning, 0).machine;
  put(0, 2, running);
  EXPECT_EQ(find().method.address, running);
  put(0, 3, heap.iterator(3, kRunning, 0).machine);
  EXPECT_EQ(find().found, AsyncFind::kFound);  // its place is known by now
}

TEST_F(AsyncRootTest, WhatNobodyHasLookedAtIsSaid) {
  stack({frame(kOrdinary), frame(kUnseen), move_next(1), frame(kOrdinary)});
  const uint64_t box = heap.box(1, kRunning, 0);
  put(2, 1, within(box));
  EXPECT_EQ(find().method.address, box);
  EXPECT_EQ(find().unseen, 2u);
  EXPECT_EQ(find_chain().unseen, 2u);
  stack({frame(kOrdinary), move_next(1), frame(kUnseen)});  // who called it may have started it
  put(1, 1, within(box));
  EXPECT_EQ(find().method.address, box);
  EXPECT_EQ(find().unseen, 2u);
  stack({frame(kOrdinary), frame(kUnseen)});
  EXPECT_EQ(find().found, AsyncFind::kNone);
  EXPECT_EQ(find().unseen, 2u);
}

TEST_F(AsyncRootTest, StartedWhereItsStartWasInlined) {
  heap.methods.set_code(base::CodeId(kCore), kRoleCore);
  stack({move_next(1), frame(kOrdinary), frame(kOrdinary)});
  put(0, 3, word_address(1, 2));
  FakeHeap::set32(word_address(1, 2) + FakeHeap::kStateAt, kRunning);
  EXPECT_EQ(find().found, AsyncFind::kNone);
  FakeHeap::set32(word_address(1, 2) + FakeHeap::kStateAt, 1);
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
  FakeHeap::set32(word_address(1, 2) + FakeHeap::kStateAt, kRunning);
}

// What a finished call of the method left behind may have become another's box.
TEST_F(AsyncRootTest, StartedMethodHasNoBoxInTheHeap) {
  stack({move_next(1), frame(kOrdinary), frame(kOrdinary)});
  put(0, 3, word_address(1, 2));
  FakeHeap::set32(word_address(1, 2) + FakeHeap::kStateAt, kRunning);
  put(0, 5, within(heap.box(1, kRunning, heap.box(2, 7, 0))));
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
}

// Nothing is known of where its state would lie: any number may look like it.
TEST_F(AsyncRootTest, MachineOfAnUnknownBuilderIsNotFoundOnTheStack) {
  stack({move_next(1), frame(kOrdinary), frame(kOrdinary)});
  put(0, 3, word_address(1, 2));
  heap.machines[1].places[0] = 0;
  heap.machines[1].state_at = 0;
  FakeHeap::set32(word_address(1, 2), kRunning);
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
}

// It may as well have resumed the method, and what lies further out be of others.
TEST_F(AsyncRootTest, StartedByInlinedCodeOfTheRuntimeHasItsMachineInThatFrame) {
  heap.methods.set_code(base::CodeId(kCore), kRoleCore);
  stack({move_next(1), frame(kCore), frame(kCore), frame(kOrdinary)});
  put(0, 3, word_address(2, 2));
  FakeHeap::set32(word_address(2, 2) + FakeHeap::kStateAt, kRunning);
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
  put(0, 3, word_address(1, 2));
  FakeHeap::set32(word_address(1, 2) + FakeHeap::kStateAt, kRunning);
  EXPECT_EQ(find().found, AsyncFind::kNone);
  frames[1] = Frame::in_code(wire::FrameKind::kNative, base::CodeId(9), 1);
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
}

struct AsyncRootBoxTest : AsyncRootTest {
  AsyncRootBoxTest() {
    heap.methods.set_code(base::CodeId(kResumer), kRoleResumer);
    heap.methods.set_code(base::CodeId(kContext), kRoleContext);
  }
  static constexpr uint32_t kResumer = 8, kContext = 9;
};

// It has said at which await it will be.
TEST_F(AsyncRootBoxTest, MethodThatIsAboutToBeSuspendedIsFoundByTheBoxThatResumedIt) {
  stack({frame(kOrdinary), move_next(1), frame(kContext), frame(kResumer), frame(kOrdinary)});
  registers.pc() = 1;
  const uint64_t box = heap.box(1, 3, heap.box(2, 7, 0));
  put(3, 2, box);
  put(0, 2, within(box));
  EXPECT_EQ(find().method.address, box);
  EXPECT_EQ(find_chain().joint, 2u);
  EXPECT_EQ(awaiters, std::vector{FakeHeap::awaits(2, 7)});
  registers.pc() = 0;  // its registers are not known, and may be where it is
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
  registers.pc() = 1;
  registers.r[kSavedRegisters[1]] = heap.box(1, 2, 0);
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
  registers.r[kSavedRegisters[1]] = box;
  EXPECT_EQ(find().method.address, box);
  frames[2] = frame(kOrdinary);  // the box may be that of what is further out
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
}

TEST_F(AsyncRootBoxTest, MethodThatHasReturnedIsFoundByItsBox) {
  stack({move_next(1), frame(kResumer), frame(kOrdinary)});
  registers.pc() = 1;
  put(1, 2, heap.box(1, kFinished, 0));
  EXPECT_EQ(find().found, AsyncFind::kReturned);
}

// Another call of the method further out has a box of its class as well.
TEST_F(AsyncRootBoxTest, OfARecursionNoBoxIsTaken) {
  stack({move_next(1), frame(kResumer), move_next(1), frame(kOrdinary)});
  registers.pc() = 1;
  put(1, 2, heap.box(1, 3, 0));
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
}

struct AsyncRootTaskTest : AsyncRootTest {
  AsyncRootTaskTest() {
    heap.methods.set_code(base::CodeId(kInvoker), kRoleInvoker);
    heap.methods.set_code(base::CodeId(kRunner), kRoleRunner);
  }
  uint64_t running_task(uint64_t awaiter, uint32_t flags = kDelegateInvoked) {
    const uint64_t at = heap.task(awaiter);
    FakeHeap::set32(at + FakeHeap::kTaskFlags, static_cast<int32_t>(flags));
    return at;
  }
  static constexpr uint32_t kInvoker = 6, kRunner = 7;
};

TEST_F(AsyncRootTaskTest, WhoAwaitsATaskAwaitsWhatItsDelegateCalls) {
  stack({frame(kOrdinary), move_next(1), frame(kStarter), frame(kInvoker), frame(kOrdinary), frame(kRunner),
         frame(kOrdinary)});
  EXPECT_EQ(find_chain().joint, 0u);
  const uint64_t task = running_task(heap.box(2, 7, 0));
  put(5, 3, task);
  EXPECT_EQ(find().method.address, task);
  EXPECT_EQ(find_chain().joint, 3u);
  EXPECT_EQ(awaiters, std::vector{FakeHeap::awaits(2, 7)});
  EXPECT_EQ(heap.hints.find(frames[5]), word_address(6, 0) - word_address(5, 3));
}

// Whoever waits for it has it run on his own stack, as Parallel.For does: he is the caller.
TEST_F(AsyncRootTaskTest, OfATaskThatNobodyAwaitsTheStackTellsTheCaller) {
  stack(
      {frame(kOrdinary), frame(kInvoker), frame(kRunner), frame(kOrdinary), move_next(1), frame(kOrdinary)});
  put(2, 1, running_task(0));
  EXPECT_EQ(find().joint, 1u);
  put(4, 1, within(heap.box(1, kRunning, heap.box(2, 7, 0))));
  EXPECT_EQ(find_chain().joint, 5u) << "the search goes on behind it";
  EXPECT_EQ(awaiters, std::vector{FakeHeap::awaits(2, 7)});
}

// It may be in a register, and this one another's.
TEST_F(AsyncRootTaskTest, WithoutRegistersATaskCountsInItsOwnMethodsFrameAlone) {
  stack({frame(kOrdinary), frame(kInvoker), frame(kRunner), frame(kOrdinary)});
  put(0, 1, running_task(heap.box(2, 7, 0)));
  EXPECT_EQ(find().found, AsyncFind::kNone);
  registers.pc() = 1;
  EXPECT_EQ(find().found, AsyncFind::kFound);
}

TEST_F(AsyncRootTaskTest, TaskThatDoesNotRunIsNone) {
  stack({frame(kOrdinary), frame(kInvoker), frame(kOrdinary)});
  put(1, 1, heap.task(0));
  put(1, 2, running_task(0, kDelegateInvoked | 0x1000000));
  EXPECT_EQ(find().found, AsyncFind::kNone);
  put(1, 3, running_task(0));
  EXPECT_EQ(find().found, AsyncFind::kFound);
  EXPECT_EQ(find().joint, 1u);
}

TEST_F(AsyncRootTaskTest, OfTwoTasksNoneIsTaken) {
  stack({frame(kOrdinary), frame(kInvoker), frame(kOrdinary)});
  put(1, 1, running_task(0));
  put(1, 2, running_task(0));
  EXPECT_EQ(find().found, AsyncFind::kNone);
}

// The outer one lies in the frame of the inner one's method.
TEST_F(AsyncRootTaskTest, TaskWithinATaskIsNotLookedFor) {
  stack({frame(kOrdinary), frame(kInvoker), frame(kRunner), frame(kOrdinary), frame(kInvoker),
         frame(kOrdinary)});
  put(2, 1, running_task(0));
  EXPECT_EQ(find().found, AsyncFind::kNone);
}

TEST_F(AsyncRootTaskTest, WhileNothingIsReadItIsUnknown) {
  stack({frame(kOrdinary), frame(kInvoker), frame(kOrdinary)});
  put(1, 1, running_task(0));
  heap.open = false;
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
  EXPECT_EQ(find().joint, 1u);
  sps.clear();  // another thread's
  EXPECT_EQ(find().found, AsyncFind::kNone);
}

// While nothing may be read the box that it may have is not seen.
TEST_F(AsyncRootTest, WhileNothingIsReadNoMethodCountsAsStarted) {
  stack({move_next(1), frame(kOrdinary), frame(kOrdinary)});
  put(0, 3, word_address(1, 2));
  FakeHeap::set32(word_address(1, 2) + FakeHeap::kStateAt, kRunning);
  heap.open = false;
  EXPECT_EQ(find().why, wire::AsyncUnknown::kNoMachine);
  EXPECT_EQ(heap.guarded_reads, 0);
}

TEST_F(AsyncRootTest, OfAKnownRegionNothingIsReadGuarded) {
  HeapRegion room[1];
  HeapRegions regions(room);
  regions.add(heap.range().lo, heap.range().hi, heap.range().hi, true);
  heap.regions = &regions;
  stack({frame(kOrdinary), move_next(1), frame(kOrdinary)});
  uint64_t outer = 0;
  for (int i = 0; i < 3; ++i) outer = heap.box(1, i, outer);
  put(1, 3, within(heap.box(1, kRunning, outer)));
  EXPECT_EQ(find_chain().count, 3u);
  EXPECT_EQ(heap.guarded_reads, 0);
}

TEST_F(AsyncRootTest, PointerInARegisterBelowAStub) {
  stack({Frame::at_address(wire::FrameKind::kStub, 0x1234), move_next(1), frame(kOrdinary)});
  const uint64_t box = heap.box(1, kRunning, 0);
  registers.r[0] = within(box);
  EXPECT_EQ(find().method.address, box);
}

TEST_F(AsyncRootTest, MachineOfWhichNothingIsKnown) {
  stack({frame(kOpaque), frame(kOrdinary)});
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
  stack({frame(kOpaque), frame(kStarter)});
  EXPECT_EQ(find().found, AsyncFind::kNone);
}

TEST_F(AsyncRootTest, PlaceIsRememberedAndChecked) {
  stack({frame(kOrdinary), move_next(1), frame(kOrdinary)});
  put(1, 3, within(heap.box(1, kRunning, 0)));
  EXPECT_EQ(find().found, AsyncFind::kFound);
  EXPECT_EQ(heap.hints.find(frames[1]), word_address(2, 0) - word_address(1, 3));
  put(1, 3, 0);
  const uint64_t box = heap.box(1, kRunning, 0);
  put(1, 5, within(box));
  EXPECT_EQ(find().method.address, box);
  EXPECT_EQ(heap.hints.find(frames[1]), word_address(2, 0) - word_address(1, 5));
}

TEST_F(AsyncRootTest, FramesBeyondTheStackPointers) {
  stack({frame(kOrdinary), frame(kOrdinary), move_next(1), frame(kOrdinary)});
  put(2, 1, within(heap.box(1, kRunning, 0)));
  sps.resize(3);
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
  EXPECT_EQ(find().joint, 3u);
  sps.clear();
  EXPECT_EQ(find().joint, 3u);
  stack({frame(kOrdinary), frame(kOrdinary)});
  sps.clear();
  EXPECT_EQ(find().found, AsyncFind::kNone);
}

TEST_F(AsyncRootTest, FramesThatWereLeftOutMayHaveOne) {
  stack({frame(kOrdinary), Frame::at_address(wire::FrameKind::kLeftOut, 100), frame(kOrdinary)});
  EXPECT_EQ(find().found, AsyncFind::kUnknown);
  EXPECT_EQ(find().joint, 2u);
}

TEST_F(AsyncRootTest, ChainThatHasNoRoom) {
  stack({move_next(1), frame(kOrdinary)});
  uint64_t outer = 0;
  for (int i = 0; i < 5; ++i) outer = heap.box(2, i, outer);
  put(0, 1, within(heap.box(1, kRunning, outer)));
  EXPECT_EQ(find_chain().count, 4u);
  EXPECT_EQ(awaiters.back(), Frame::at_address(wire::FrameKind::kLeftOut, 0));
}

TEST_F(AsyncRootTest, ReadyToRunCodeIsKnownByItsAddress) {
  const Frame ready = Frame::in_code(wire::FrameKind::kReadyToRun, base::CodeId(7), 0x1234);
  stack({ready, frame(kOrdinary)});
  EXPECT_EQ(find().unseen, 1u);
  heap.methods.set_frame(ready, kRoleOrdinary);
  EXPECT_EQ(find().unseen, 0u);
}

}  // namespace
}  // namespace walkabout::unwind
