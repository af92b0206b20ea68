// The CPU time of threads: of living, ended and released ones, and what no tick took.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "agent/linux/test_thread_table.h"
#include "agent/linux/thread_table.h"

namespace walkabout::agent {
namespace {

using namespace testing;  // the world's spelling

// The spooler waits for nobody: who asks once in a while would never know of such a thread.
TEST_F(ThreadTableTest, ReleasedThreadsAreListedOnceEach) {
  table_.keep_released();
  std::vector<ThreadTable::Living> living, released;
  uint32_t slot = 0;
  {
    Waiting thread(3'000'000);
    table_.arm(thread.tid(), 0, true);
    table_.living(&living, &released);
    ASSERT_EQ(living.size(), 1u);
    EXPECT_TRUE(released.empty());
    slot = living[0].slot;
    ASSERT_TRUE(table_.leave_rider(living[0], base::SourceId(2), 7, {}, 0));
  }
  const uint64_t before_ns = base::monotonic_ns();
  nobody_is_listed();
  table_.release(slot);
  const ThreadTable::Living known = living[0];
  table_.living(&living, &released);
  EXPECT_TRUE(living.empty());
  ASSERT_EQ(released.size(), 1u);
  EXPECT_EQ(released[0].id, known.id);
  EXPECT_EQ(released[0].untaken, 7u);
  EXPECT_GE(released[0].ending_ns, before_ns);
  EXPECT_LE(released[0].ending_ns, base::monotonic_ns());
  if (engines().back().engine == wire::Engine::kPerf) {
    EXPECT_GE(released[0].used_ns, 3'000'000u);
  }
  table_.living(&living, &released);
  EXPECT_TRUE(released.empty());
}

TEST_F(ThreadTableTest, AReleasedThreadsRiderIsTakenBackOnce) {
  table_.keep_released();
  std::vector<ThreadTable::Living> living, released;
  ThreadTable::Living known;
  {
    const Waiting thread;
    table_.arm(thread.tid(), 0, true);
    table_.living(&living);
    known = living.at(0);
    ASSERT_TRUE(table_.leave_rider(known, base::SourceId(2), 7, {}, 0));
  }
  nobody_is_listed();
  table_.release(known.slot);
  EXPECT_EQ(table_.take_back_rider(known), 7u);
  EXPECT_EQ(table_.take_back_rider(known), 0u);
  table_.living(&living, &released);
  ASSERT_EQ(released.size(), 1u);
  EXPECT_EQ(released[0].untaken, 0u);
}

TEST_F(ThreadTableTest, AThreadTooShortForATickLeavesItsTime) {
  if (engines().back().engine != wire::Engine::kPerf) GTEST_SKIP() << "timers tell nothing of dead threads";
  Waiting thread(5'000'000);
  table_.arm(thread.tid(), 0, true);
  thread.end();
  nobody_is_listed();
  const ThreadView ended = view()[0];
  ASSERT_TRUE(ended.ended);
  const uint64_t known = table_.shared(ended.slot)->last_cpu_ns + ended.unsampled_ns;
  EXPECT_GE(known, thread.cpu_ns / 2) << "two clocks of the kernel: about the same";
}

// A perf event counts what a hypervisor takes from the machine, a thread's CPU clock does not. Broken by the
// count of a living thread's event: two clocks are never the same to the nanosecond.
TEST_F(ThreadTableTest, ALivingThreadsTimeIsItsCpuClocks) {
  std::atomic<int> at{0};
  pid_t tid = 0;
  std::thread thread([&] {
    tid = own_tid();
    table_.arm(tid, 0, true);
    burn_ns(5'000'000);
    at = 1;
    at.notify_all();
    at.wait(1);
  });
  at.wait(0);
  const clockid_t clock = base::thread_cpu_clock(tid);
  const auto asleep = [&] {
    const std::string stat = "/proc/self/task/" + std::to_string(tid) + "/stat";
    std::string text;
    std::getline(std::ifstream(stat), text);
    return text[text.rfind(')') + 2] == 'S';
  };
  while (!asleep()) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));  // it says so before it has left its CPU
  table_.stop();
  const ThreadView ended = view()[0];
  EXPECT_EQ(table_.shared(ended.slot)->last_cpu_ns + ended.unsampled_ns, base::clock_ns(clock));
  at = 2;
  at.notify_all();
  thread.join();
}

// The same of one that has ended: by how far the event was ahead is reported before. (Here: by what it was
// given.)
TEST_F(ThreadTableTest, WhatAPerfEventWasAheadIsNoThreadsTime) {
  if (engines().back().engine != wire::Engine::kPerf) GTEST_SKIP() << "a perf event's matter";
  std::thread thread([&] {
    table_.arm(own_tid(), 0, true);
    burn_ns(5'000'000);
    table_.note_cpu(own_tid(), 1'000'000);
  });
  thread.join();
  while (!view()[0].ended) nobody_is_listed();
  const ThreadView ended = view()[0];
  const uint64_t known = table_.shared(ended.slot)->last_cpu_ns + ended.unsampled_ns;
  EXPECT_GE(known, 1'000'000u);
  EXPECT_LT(known, 4'000'000u) << "5 ms by its event";
}

// Broken by the clock that is read as each thread is armed: 4 ms of a busy program were missing at an attach.
TEST_F(ThreadTableTest, ThreadsThatArePresentCountFromOneMoment) {
  std::atomic<bool> over{false};
  std::atomic<pid_t> tid{0};
  std::thread burning([&] {
    tid = own_tid();
    tid.notify_all();
    while (!over) burn_ns(10'000);
  });
  tid.wait(0);
  std::vector<std::unique_ptr<Waiting>> others;
  std::vector<pid_t> tids;
  tids.reserve(52);
  for (int i = 0; i < 50; ++i) tids.push_back(others.emplace_back(std::make_unique<Waiting>())->tid());
  tids.push_back(tid);
  tids.push_back(others.emplace_back(std::make_unique<Waiting>())->tid());
  const uint64_t before = base::clock_ns(base::thread_cpu_clock(tid));
  table_.arm_present(tids);
  table_.stop();
  over = true;
  burning.join();
  ASSERT_EQ(view().size(), 52u);
  const ThreadView burnt = view()[50];
  EXPECT_EQ(burnt.tid, tid);
  EXPECT_GE(burnt.counted_from_ns, before);
  EXPECT_EQ(table_.shared(50)->last_cpu_ns, burnt.counted_from_ns) << "no sample yet";
}

}  // namespace
}  // namespace walkabout::agent
