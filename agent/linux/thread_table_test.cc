#include "agent/linux/thread_table.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "agent/linux/test_thread_table.h"

namespace walkabout::agent {
namespace {

using namespace testing;  // the world's spelling

TEST_F(ThreadTableTest, AThreadIsArmedOnce) {
  const Waiting thread;
  table_.arm(thread.tid(), 0, false);
  table_.arm(thread.tid(), 0, true);
  const auto threads = view();
  ASSERT_EQ(threads.size(), 1u);
  EXPECT_EQ(threads[0].tid, thread.tid());
  EXPECT_TRUE(threads[0].id.valid());
  EXPECT_FALSE(threads[0].ended);
  EXPECT_TRUE(threads[0].changed);
  EXPECT_FALSE(view()[0].changed) << "reported once";
  EXPECT_EQ(table_.take_problem(), "");
}

// Broken by a clock for every thread: it ticks, or is reported to have none.
TEST_F(ThreadTableTest, WhereCpuTimeIsNotSampledNoThreadHasAClock) {
  ThreadTable::Clocking none{
      engines().back().engine, engines().back().kernel_ticks, kSecond, TickWorld::kSignal, false, false};
  ThreadTable table(world_.host, world_.rings, none);
  std::thread([&] {
    table.arm(own_tid(), 0, true);
    std::vector<ThreadTable::Living> living;
    table.living(&living);
    ASSERT_EQ(living.size(), 1u);
    EXPECT_FALSE(table.leave_rider(living[0], base::SourceId(2), 1, {}, 0)) << "no tick takes it";
    EXPECT_NE(table.callback_slot(), nullptr);
    EXPECT_EQ(table.slots()[0].perf_fd, -1);
    burn_ns(20'000'000);
    EXPECT_EQ(table.slots()[0].shared->cpu().attempts, 0u);
    table.stop();
  }).join();
  std::vector<ThreadView> threads;
  table.view(&threads);
  ASSERT_EQ(threads.size(), 1u);
  EXPECT_TRUE(threads[0].ended);
  EXPECT_FALSE(threads[0].without_clock);
  EXPECT_GE(threads[0].unsampled_ns, 20'000'000u) << "its CPU time is known all the same";
  EXPECT_TRUE(table.shortcomings().empty());
}

TEST_F(ThreadTableTest, WhatIsLearntLaterIsAChange) {
  const Waiting thread;
  table_.arm(thread.tid(), 0, false);
  (void)view();
  table_.arm(thread.tid(), kClr, false);
  auto threads = view();
  EXPECT_TRUE(threads[0].changed);
  EXPECT_TRUE(threads[0].managed);
  EXPECT_EQ(table_.slots()[threads[0].slot].clr_thread, kClr);
  table_.arm(thread.tid(), 0, false);
  EXPECT_EQ(table_.slots()[threads[0].slot].clr_thread, kClr) << "the scan does not know it";
  table_.clear_clr_thread(kClr);
  EXPECT_EQ(table_.slots()[threads[0].slot].clr_thread, 0u);
  (void)view();
  std::string name = "worker";
  EXPECT_TRUE(table_.set_managed_name(thread.tid(), name));
  threads = view();
  EXPECT_TRUE(threads[0].changed);
  EXPECT_EQ(threads[0].managed_name, "worker");
  name = "nobody";
  EXPECT_FALSE(table_.set_managed_name(thread.tid() + 100'000, name));
  EXPECT_EQ(name, "nobody");
  EXPECT_FALSE(view()[0].changed);
}

TEST_F(ThreadTableTest, TheScanArmsTheNewAndEndsTheMissing) {
  Waiting first, second;
  table_.update({first.tid(), second.tid()});
  ASSERT_EQ(view().size(), 2u);
  first.end();
  table_.update({second.tid()});
  for (const ThreadView& t : view()) EXPECT_EQ(t.ended, t.tid == first.tid());
}

TEST_F(ThreadTableTest, AListingThatMissesALivingThreadEndsNobody) {
  const Waiting thread;
  table_.arm(thread.tid(), kClr, true);
  nobody_is_listed();
  EXPECT_FALSE(view()[0].ended);
  table_.update({});
  EXPECT_FALSE(view()[0].ended) << "no listing at all";
}

constexpr int kNumbers = 40'000;  // more than the usual kernel.pid_max

// Runs `body` on a new thread that has the number of one that is gone; false when that cannot be had.
template <typename F>
bool run_on_thread(pid_t number, F body) {
  std::ofstream("/proc/sys/kernel/ns_last_pid") << number - 1;  // for who may; else the numbers come round
  bool found = false;
  for (int i = 0; i < kNumbers && !found; ++i) {
    std::thread([&] {
      if (own_tid() != number) return;
      found = true;
      body();
    }).join();
  }
  return found;
}

// Broken by a thread_gone() that asks for the number alone: the second thread had no ticks, and hung.
TEST(ThreadNumbers, OneThatComesAgainIsAnotherThread) {
  for (const EngineChoice& engine : engines()) {
    for (const bool by_listing : {false, true}) {
      TickWorld world(engine, 1 << 16, 1'000'000);
      ThreadTable& table = world.threads;
      pid_t number = 0;
      std::thread([&] { table.arm(number = own_tid(), kClr, true); }).join();
      ::alarm(60);
      const bool found = run_on_thread(number, [&] {
        if (by_listing) {
          table.update({number});
        } else {
          table.arm(number, kClr, true);
        }
        while (current_slot() == nullptr || current_slot()->shared->cpu().samples < 2) burn_ns(100'000);
      });
      ::alarm(0);
      if (!found) GTEST_SKIP() << "numbers do not come round here";
      std::vector<ThreadView> threads;
      table.view(&threads);
      ASSERT_EQ(threads.size(), 2u);
      EXPECT_TRUE(threads[0].ended);
      EXPECT_EQ(threads[1].tid, number);
      EXPECT_NE(threads[1].id, threads[0].id);
      EXPECT_EQ(table.shared(threads[0].slot)->cpu().samples, 0u);
    }
  }
}

TEST_F(ThreadTableTest, ExcludedThreadsAreNeverArmed) {
  const Waiting thread;
  table_.exclude(thread.tid());
  table_.arm(thread.tid(), kClr, true);
  table_.update({thread.tid()});
  EXPECT_TRUE(view().empty());
}

TEST_F(ThreadTableTest, ASlotIsUsedAgainUnderANewId) {
  uint32_t slot = 0;
  base::ThreadId id;
  {
    const Waiting thread;
    table_.arm(thread.tid(), 0, false);
    slot = view()[0].slot;
    id = view()[0].id;
    table_.shared(slot)->cpu().samples = 5;
    table_.shared(slot)->cpu().attempts = 6;
  }
  nobody_is_listed();
  table_.release(slot);
  EXPECT_TRUE(view().empty());
  const Waiting next;
  table_.arm(next.tid(), 0, false);
  const auto threads = view();
  ASSERT_EQ(threads.size(), 1u);
  EXPECT_EQ(threads[0].slot, slot);
  EXPECT_NE(threads[0].id, id);
  EXPECT_EQ(table_.slot_count(), 1u);
  EXPECT_EQ(table_.shared(slot)->cpu().samples, 0u);
  EXPECT_EQ(table_.totals().cpu().samples, 5u) << "totals never fall";
  EXPECT_EQ(table_.totals().cpu().attempts, 6u);
}

TEST_F(ThreadTableTest, AThreadThatIsGoneBeforeItIsArmedIsNoProblem) {
  Waiting thread;
  const pid_t tid = thread.tid();
  thread.end();
  table_.arm(tid, 0, true);
  EXPECT_TRUE(view().empty());
  EXPECT_EQ(table_.take_problem(), "");
  const Waiting next;
  table_.arm(next.tid(), 0, true);
  ASSERT_EQ(view().size(), 1u);
  EXPECT_EQ(view()[0].slot, 0u) << "given back";
  EXPECT_EQ(view()[0].id.value, 1u) << "ids are dense";
  EXPECT_EQ(table_.slot_count(), 1u);
}

TEST_F(ThreadTableTest, StoppingEndsAllAndArmsNoMore) {
  const Waiting first, second;
  table_.arm(first.tid(), 0, false);
  table_.stop();
  EXPECT_TRUE(view()[0].ended);
  table_.arm(second.tid(), 0, false);
  table_.update({second.tid()});
  EXPECT_EQ(view().size(), 1u);
}

TEST_F(ThreadTableTest, StackBoundsReachTheHandlersSlot) {
  const Waiting thread;
  table_.arm(thread.tid(), 0, false);
  ThreadSlot& slot = table_.slots()[view()[0].slot];
  slot.wants_bounds = 0x1800;
  table_.set_stack(thread.tid(), 0x1000, 0x2000, 0x800);
  EXPECT_EQ(slot.stack_lo, 0x1000u);
  EXPECT_EQ(slot.stack_hi, 0x2000u);
  EXPECT_EQ(slot.stack_end, 0x800u);
  EXPECT_EQ(slot.wants_bounds, 0u);
}

}  // namespace
}  // namespace walkabout::agent
