#include "unwind/async/async_chain.h"

#include <gtest/gtest.h>

#include <vector>

#include "unwind/async/fake_heap.h"

namespace walkabout::unwind {
namespace {

using testing::FakeHeap;
using wire::Frame;

class AsyncChainTest : public ::testing::Test {
 protected:
  AsyncChain follow(uint64_t object, size_t room = 16) {
    HeapReader reader = heap.reader();
    uint64_t method_table = 0;
    EXPECT_TRUE(reader.load64(object, &method_table));
    awaiters.assign(room, Frame());
    const AsyncChain chain =
        follow_awaiters({object, heap.types.find(method_table)}, heap.types, reader, awaiters);
    awaiters.resize(chain.count);
    return chain;
  }

  FakeHeap heap;
  std::vector<Frame> awaiters;
};

TEST_F(AsyncChainTest, NobodyAwaits) {
  EXPECT_EQ(follow(heap.box(0, kRunning, 0)).end, AsyncEnd::kRoot);
  EXPECT_TRUE(awaiters.empty());
}

TEST_F(AsyncChainTest, BoxAfterBox) {
  const uint64_t outer = heap.box(2, 5, 0), middle = heap.box(1, 0, outer);
  EXPECT_EQ(follow(heap.box(0, kRunning, middle)).end, AsyncEnd::kRoot);
  EXPECT_EQ(awaiters, (std::vector{FakeHeap::awaits(1, 0), FakeHeap::awaits(2, 5)}));
}

TEST_F(AsyncChainTest, ThroughDelegatesContinuationsAndPromises) {
  const uint64_t outer = heap.box(1, 3, 0);
  const uint64_t continuation = heap.object(FakeHeap::kContinuation);
  FakeHeap::set(continuation + 24, heap.action(outer));
  const uint64_t promise = heap.object(FakeHeap::kPromise);
  FakeHeap::set(promise + FakeHeap::kPromiseNext, continuation);
  EXPECT_EQ(follow(heap.box(0, kRunning, heap.task(promise))).end, AsyncEnd::kRoot);
  EXPECT_EQ(awaiters, std::vector{FakeHeap::awaits(1, 3)});
}

TEST_F(AsyncChainTest, FirstOfSeveralThatIsStillThere) {
  const uint64_t list = heap.list({0, heap.box(3, 1, 0), heap.box(4, 1, 0)});
  EXPECT_EQ(follow(heap.box(0, kRunning, list)).end, AsyncEnd::kRoot);
  EXPECT_EQ(awaiters, std::vector{FakeHeap::awaits(3, 1)});
}

TEST_F(AsyncChainTest, ListOfNobody) {
  EXPECT_EQ(follow(heap.box(0, kRunning, heap.list({0, 0}))).end, AsyncEnd::kRoot);
  EXPECT_EQ(follow(heap.box(0, kRunning, heap.list({}))).end, AsyncEnd::kRoot);
  EXPECT_EQ(follow(heap.box(0, kRunning, heap.list({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))).end,
            AsyncEnd::kUnknown);
}

TEST_F(AsyncChainTest, ListsInListsEnd) {
  const uint64_t list = heap.list({heap.task(0)});
  uint64_t array = 0;
  std::memcpy(&array, reinterpret_cast<void*>(list + 8), sizeof array);
  FakeHeap::set(array + 16, list);
  EXPECT_EQ(follow(heap.box(0, kRunning, list)).end, AsyncEnd::kUnknown);
}

TEST_F(AsyncChainTest, CompletedTaskHasNoAwaiter) {
  EXPECT_EQ(follow(heap.box(0, kRunning, heap.object(FakeHeap::kObject))).end, AsyncEnd::kCompleted);
}

TEST_F(AsyncChainTest, ThreadThatBlocksIsTheRoot) {
  EXPECT_EQ(follow(heap.box(0, kRunning, heap.object(FakeHeap::kBlocked))).end, AsyncEnd::kRoot);
}

TEST_F(AsyncChainTest, UnknownClassIsNotGuessed) {
  EXPECT_EQ(follow(heap.box(0, kRunning, heap.box(1, 0, heap.object(FakeHeap::kStranger)))).end,
            AsyncEnd::kUnknown);
  EXPECT_EQ(awaiters, std::vector{FakeHeap::awaits(1, 0)});
}

TEST_F(AsyncChainTest, AwaiterThatRunsOrIsDoneIsNone) {
  EXPECT_EQ(follow(heap.box(0, kRunning, heap.box(1, kRunning, 0))).end, AsyncEnd::kUnknown);
  EXPECT_TRUE(awaiters.empty());
  EXPECT_EQ(follow(heap.box(0, kRunning, heap.box(1, kFinished, 0))).end, AsyncEnd::kUnknown);
  EXPECT_TRUE(awaiters.empty());
}

TEST_F(AsyncChainTest, CircleEnds) {
  const uint64_t action = heap.action(0);
  FakeHeap::set(action + 8, action);
  EXPECT_EQ(follow(heap.box(0, kRunning, action)).end, AsyncEnd::kUnknown);
  const uint64_t box = heap.box(1, 0, 0);
  FakeHeap::set(box + FakeHeap::kTaskNext, box);
  EXPECT_EQ(follow(heap.box(0, kRunning, box), 8).end, AsyncEnd::kTooDeep);
}

TEST_F(AsyncChainTest, AsManyAsThereIsRoomFor) {
  uint64_t outer = 0;
  for (int i = 0; i < 5; ++i) outer = heap.box(1, i, outer);
  EXPECT_EQ(follow(heap.box(0, kRunning, outer), 5).end, AsyncEnd::kRoot);
  EXPECT_EQ(awaiters.size(), 5u);
  EXPECT_EQ(follow(heap.box(0, kRunning, outer), 4).end, AsyncEnd::kTooDeep);
  EXPECT_EQ(awaiters.size(), 4u);
}

TEST_F(AsyncChainTest, MachineOfADebugBuildFindsItsBox) {
  const FakeHeap::Pair outer = heap.object_box(2, 4, 0);
  const FakeHeap::Pair inner = heap.object_box(1, kRunning, outer.box);
  EXPECT_EQ(follow(inner.machine).end, AsyncEnd::kRoot);
  EXPECT_EQ(awaiters, std::vector{FakeHeap::awaits(2, 4)});
}

TEST_F(AsyncChainTest, MachineWhoseBoxIsAnothersIsNotFollowed) {
  const FakeHeap::Pair inner = heap.object_box(1, kRunning, heap.box(2, 0, 0));
  FakeHeap::set(inner.box + FakeHeap::kMachineAt, heap.object(FakeHeap::machine_class(1)));
  EXPECT_EQ(follow(inner.machine).end, AsyncEnd::kUnknown);
  EXPECT_TRUE(awaiters.empty());
}

TEST_F(AsyncChainTest, IteratorGoesOnByItsPromise) {
  const FakeHeap::Pair outer = heap.iterator(2, 1, heap.action(heap.box(3, 0, 0)));
  const FakeHeap::Pair inner = heap.iterator(1, kRunning, outer.box);
  EXPECT_EQ(follow(inner.machine).end, AsyncEnd::kRoot);
  EXPECT_EQ(awaiters, (std::vector{FakeHeap::awaits(2, 1), FakeHeap::awaits(3, 0)}));
}

// Who called it comes to await it, or is on the stack.
TEST_F(AsyncChainTest, IteratorThatRunsWithoutAnAwaiterIsNoRoot) {
  EXPECT_EQ(follow(heap.iterator(1, kRunning, 0).machine).end, AsyncEnd::kUnknown);
}

TEST_F(AsyncChainTest, DanglingReferenceIsUnknown) {
  EXPECT_EQ(follow(heap.box(0, kRunning, 0x7000'0000'0008)).end, AsyncEnd::kUnknown);
  EXPECT_EQ(follow(heap.box(0, kRunning, 3)).end, AsyncEnd::kUnknown);
}

// A page is one of the heap once a known object was found there.
TEST_F(AsyncChainTest, PagesOfTheHeapAreReadGuardedOnce) {
  uint64_t outer = 0;
  for (int i = 0; i < 10; ++i) outer = heap.box(1, i, outer);
  follow(heap.box(0, kRunning, outer));
  EXPECT_LE(heap.guarded_reads, 4);
}

TEST(AsyncTypes, FindsWhatWasAddedAndRefusesWhenFull) {
  std::vector<AsyncTypes::Slot> slots(16);
  AsyncTypes types(slots);
  EXPECT_EQ(types.find(0), nullptr);
  for (uint64_t i = 1; i <= 8; ++i) EXPECT_TRUE(types.add(i << 12, {.next = static_cast<uint32_t>(i)}));
  EXPECT_FALSE(types.add(9 << 12, {}));
  EXPECT_FALSE(types.add(1 << 12, {}));
  for (uint64_t i = 1; i <= 8; ++i) {
    ASSERT_NE(types.find(i << 12), nullptr);
    EXPECT_EQ(types.find(i << 12)->next, i);
  }
  EXPECT_EQ(types.find(9 << 12), nullptr);
  EXPECT_EQ(types.find(0), nullptr);
}

TEST(AsyncTypes, WhatWasForgottenIsNotFoundAndStaysAsItIsForWhoHasFoundIt) {
  std::vector<AsyncTypes::Slot> slots(16), other(16);
  AsyncTypes types(slots, other);
  ASSERT_TRUE(types.add(1 << 12, {.next = 1}));
  ASSERT_TRUE(types.add(2 << 12, {.next = 2}));
  const AsyncType* gone = types.find(1 << 12);
  EXPECT_FALSE(types.is_crowded());
  types.forget(3 << 12);
  types.forget(1 << 12);
  EXPECT_EQ(types.find(1 << 12), nullptr);
  ASSERT_TRUE(types.add(1 << 12, {.next = 3})) << "another class";
  EXPECT_EQ(gone->next, 1u);
  EXPECT_TRUE(types.is_crowded());
  types.renew();
  EXPECT_EQ(gone->next, 1u);
  EXPECT_FALSE(types.is_crowded());
  ASSERT_NE(types.find(1 << 12), nullptr);
  EXPECT_EQ(types.find(1 << 12)->next, 3u);
  EXPECT_EQ(types.find(2 << 12)->next, 2u);
  EXPECT_EQ(types.find(1), nullptr);
  EXPECT_FALSE(types.add(1, {}));
}

TEST(AsyncTypes, ThereIsRoomForClassesThatComeAndGoAtOtherAddresses) {
  std::vector<AsyncTypes::Slot> slots(1024), other(1024);
  AsyncTypes types(slots, other);
  uint64_t next = 1;
  for (; next <= 100; ++next) ASSERT_TRUE(types.add(next << 5, {.next = static_cast<uint32_t>(next)}));
  for (int round = 0; round < 2000; ++round) {
    const uint64_t first = next;
    for (; next < first + 60; ++next) ASSERT_TRUE(types.add(next << 5, {.next = 1})) << round;
    for (uint64_t i = first; i < next; ++i) types.forget(i << 5);
    if (types.is_crowded()) types.renew();
  }
  for (uint64_t i = 1; i <= 100; ++i) {
    ASSERT_NE(types.find(i << 5), nullptr);
    EXPECT_EQ(types.find(i << 5)->next, i);
  }
}

TEST_F(AsyncChainTest, NextAwaiterIsItsBox) {
  const uint64_t outer = heap.box(2, 5, 0);
  const FakeHeap::Pair debug = heap.object_box(1, 4, outer);
  HeapReader reader = heap.reader();
  const auto next = [&](uint64_t object) {
    uint64_t method_table = 0;
    EXPECT_TRUE(reader.load64(object, &method_table));
    return next_awaiter({object, heap.types.find(method_table)}, heap.types, reader);
  };
  const AsyncLink first = next(heap.box(0, 0, heap.action(debug.machine)));
  EXPECT_EQ(first.end, AsyncEnd::kTooDeep);
  EXPECT_EQ(first.awaiter.address, debug.box) << "whether its state machine is referred to or its box";
  EXPECT_EQ(first.state, 4);
  EXPECT_EQ(next(debug.box).awaiter.address, outer);
  EXPECT_EQ(next(outer).end, AsyncEnd::kRoot);
  const AsyncLink stranger = next(heap.box(0, 0, heap.object(FakeHeap::kStranger)));
  EXPECT_EQ(stranger.end, AsyncEnd::kUnknown);
  EXPECT_EQ(stranger.why, wire::AsyncUnknown::kClass);
  EXPECT_EQ(next(heap.box(0, 0, heap.box(1, kRunning, 0))).why, wire::AsyncUnknown::kState);
}

TEST_F(AsyncChainTest, WhatIsSuspended) {
  HeapReader reader = heap.reader();
  int32_t state = 0;
  const auto suspended = [&](uint64_t object) {
    uint64_t method_table = 0;
    EXPECT_TRUE(reader.load64(object, &method_table));
    return is_suspended({object, heap.types.find(method_table)}, reader, &state);
  };
  EXPECT_TRUE(suspended(heap.box(0, 3, 0)));
  EXPECT_EQ(state, 3);
  EXPECT_FALSE(suspended(heap.box(0, kRunning, 0)));
  EXPECT_FALSE(suspended(heap.box(0, kFinished, 0)));
  EXPECT_TRUE(suspended(heap.object_box(1, 0, 0).box));
  const uint64_t pooled = heap.box(0, 0, 0);
  FakeHeap::set(pooled + FakeHeap::kMachineAt, 0);  // cleared, as a pool has it
  EXPECT_FALSE(suspended(pooled));
  const FakeHeap::Pair empty = heap.object_box(1, 0, 0);
  FakeHeap::set(empty.box + FakeHeap::kMachineAt, 0);
  EXPECT_FALSE(suspended(empty.box));
}

}  // namespace
}  // namespace walkabout::unwind
