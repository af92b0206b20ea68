#include "base/windows/win32.h"
// after win32.h
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "agent/windows/process_self.h"
#include "agent/windows/thread_table.h"

namespace walkabout::agent {
namespace {

constexpr clr::ThreadID kClr = 0x1234;
constexpr uint32_t kRing = 64 << 10;

struct ThreadTableTest : ::testing::Test {
  ThreadTableTest() {
    EXPECT_TRUE(rings.map(kRing, 1).ok());
    table.give_clocks();
  }
  std::vector<Target> targets() {
    std::vector<Target> t;
    table.targets(&t);
    return t;
  }
  const pid_t self = static_cast<pid_t>(::GetCurrentThreadId());
  RingMemory rings;
  ThreadTable table{rings};
};

TEST_F(ThreadTableTest, AThreadIsATargetWithItsStack) {
  table.arm(self, 0, false);
  table.arm(self, 0, false);
  ASSERT_EQ(targets().size(), 1u);
  const Target target = targets()[0];
  int local = 0;
  const auto here = reinterpret_cast<uint64_t>(&local);
  EXPECT_EQ(target.tid, self);
  EXPECT_LT(target.stack.lo, here);
  EXPECT_GT(target.stack.hi, here);
}

// The CLR frees what the id stands for when its callback has returned.
TEST_F(ThreadTableTest, AThreadIsNotDestroyedWhileItIsWalked) {
  table.arm(self, kClr, true);
  EXPECT_EQ(table.begin_walk(targets()[0].slot), kClr);
  std::atomic<bool> destroyed{false};
  std::thread callback([&] {
    table.destroyed(kClr);
    destroyed.store(true);
  });
  ::Sleep(50);
  EXPECT_FALSE(destroyed.load());
  table.end_walk();
  callback.join();
  EXPECT_TRUE(destroyed.load());
  EXPECT_EQ(table.begin_walk(targets()[0].slot), 0u) << "from now on it is a native thread";
  table.end_walk();
}

TEST_F(ThreadTableTest, AnotherThreadsWalkIsNotWaitedFor) {
  table.arm(self, kClr, true);
  table.begin_walk(targets()[0].slot);
  table.destroyed(kClr + 1);
  table.end_walk();
}

TEST_F(ThreadTableTest, TheDeadEndAndTheirSlotsAreUsedAgain) {
  std::atomic<bool> stop{false};
  std::atomic<pid_t> tid{0};
  std::thread thread([&] {
    tid.store(static_cast<pid_t>(::GetCurrentThreadId()));
    while (!stop.load()) ::Sleep(1);
  });
  while (tid.load() == 0) ::Sleep(1);
  table.arm(tid.load(), 0, true);
  ASSERT_EQ(targets().size(), 1u);
  stop.store(true);
  thread.join();
  while (!targets().empty()) table.update({});
  std::vector<ThreadView> views;
  table.view(&views);
  ASSERT_EQ(views.size(), 1u);
  EXPECT_TRUE(views[0].ended);
  table.release(views[0].slot);
  table.arm(self, 0, false);
  EXPECT_EQ(targets()[0].slot, views[0].slot);
}

// The sampler would stop threads whose CPU time nobody asked for.
TEST_F(ThreadTableTest, WithoutClocksThereAreNoTargets) {
  ThreadTable without(rings);
  without.arm(self, 0, false);
  std::vector<Target> all;
  without.targets(&all);
  EXPECT_TRUE(all.empty());
}

TEST_F(ThreadTableTest, AThreadHasASlotOfItsOwnOnceItIsArmed) {
  EXPECT_EQ(table.callback_slot(), nullptr);
  table.arm(self, kClr, false);
  ThreadSlot* const slot = table.callback_slot();
  ASSERT_NE(slot, nullptr);
  EXPECT_EQ(table.current_slot(), slot);
  EXPECT_EQ(slot->shared, table.shared(slot_number(*slot)));
  EXPECT_EQ(slot->tid, self);
  EXPECT_EQ(slot->clr_thread, kClr);
  EXPECT_TRUE(table.has_callback_lane(slot_number(*slot)));
  EXPECT_NE(slot->callback_ring, nullptr);
  std::thread([&] { EXPECT_EQ(table.callback_slot(), nullptr); }).join();
  table.destroyed(kClr);
  EXPECT_EQ(slot->clr_thread, 0u);
}

// Broken by a release() that takes it away: whoever is in the middle of a capture then ends the program.
TEST_F(ThreadTableTest, ASlotLeadsToItsMemoryBehindTheEnd) {
  table.arm(self, 0, false);
  const ThreadSlot& slot = *table.callback_slot();
  table.stop();
  table.release(slot_number(slot));
  EXPECT_EQ(slot.shared, table.shared(slot_number(slot)));
  EXPECT_NE(slot.callback_ring, nullptr);
}

TEST_F(ThreadTableTest, OurOwnThreadsAreNoTargets) {
  table.exclude(self);
  table.update(thread_ids());
  for (const Target& target : targets()) EXPECT_NE(target.tid, self);
}

}  // namespace
}  // namespace walkabout::agent
