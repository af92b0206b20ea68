#include "agent/linux/thread_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "agent/linux/session/tick_world.h"

namespace walkabout::agent {
namespace {

using namespace testing;  // the world's spelling

constexpr uint64_t kSecond = 1'000'000'000;
constexpr clr::ThreadID kClr = 0x1234;

// A thread that exists until it is let go, and then burns before it ends.
class Waiting {
 public:
  explicit Waiting(uint64_t burn = 0)
      : thread_([this, burn] {
          tid_ = own_tid();
          tid_.notify_all();
          go_.wait(false);
          burn_ns(burn);
          cpu_ns = base::thread_cpu_ns();
        }) {
    tid_.wait(0);
  }
  ~Waiting() { end(); }
  pid_t tid() const { return tid_; }
  void end() {
    if (!thread_.joinable()) return;
    go_ = true;
    go_.notify_all();
    thread_.join();
    // Joined is not gone: the kernel wakes who joins before it gives the number back.
    const std::string task = "/proc/self/task/" + std::to_string(tid());
    while (::access(task.c_str(), F_OK) == 0) std::this_thread::yield();
  }
  std::atomic<uint64_t> cpu_ns{0};

 private:
  std::atomic<pid_t> tid_{0};
  std::atomic<bool> go_{false};
  std::thread thread_;
};

uint64_t weights_of(TickWorld& world, const ThreadSlot& slot) {
  wire::Consumer ring(slot.shared, world.rings.ring_size());
  uint64_t weights = 0;
  for (const wire::RawSample* sample; (sample = ring.next()) != nullptr; ring.release())
    weights += sample->value;
  return weights;
}

class ThreadTableTest : public ::testing::Test {
 protected:
  std::vector<ThreadView> view() {
    std::vector<ThreadView> threads;
    world_.threads.view(&threads);
    return threads;
  }
  // A listing with nobody but this thread, which is not sampled.
  void nobody_is_listed() {
    table_.exclude(own_tid());
    table_.update({own_tid()});
  }

  TickWorld world_{engines().back(), 1 << 16, kSecond};
  ThreadTable& table_ = world_.threads;
};

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
  ThreadTable::Clocking none{engines().back().engine, engines().back().kernel_ticks, kSecond,
                             TickWorld::kSignal, false};
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

// A limit of this process while it lives.
class Limit {
 public:
  Limit(__rlimit_resource what, rlim_t least) : what_(what) {
    ::getrlimit(what, &before_);
    const rlimit lower{least, before_.rlim_max};
    ::setrlimit(what, &lower);
  }
  ~Limit() { ::setrlimit(what_, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  __rlimit_resource what_;
  rlimit before_{};
};

TEST_F(ThreadTableTest, AThreadWhosePerfEventIsRefusedHasATimer) {
  if (engines().back().engine != wire::Engine::kPerf) GTEST_SKIP() << "a perf event's matter";
  const Waiting before;
  table_.arm(before.tid(), 0, false);
  table_.set_interval(1'000'000);
  std::thread thread([&] {
    {
      const Limit files(RLIMIT_NOFILE, 3);
      table_.arm(own_tid(), 0, true);
    }
    const ThreadSlot& slot = table_.slots()[1];
    EXPECT_EQ(slot.perf_fd, -1);
    while (slot.shared->cpu().samples < 2) burn_ns(100'000);
  });
  thread.join();
  table_.stop();
  ASSERT_EQ(table_.shortcomings().size(), 1u);
  EXPECT_EQ(table_.shortcomings()[0].find("1 thread ticked by CPU timers"), 0u) << table_.shortcomings()[0];
  EXPECT_NE(table_.shortcomings()[0].find("perf_event_open"), std::string::npos);
}

TEST_F(ThreadTableTest, AThreadThatHasNoClockAtAllIsCountedWithItsTime) {
  std::thread thread([&] {
    {
      const Limit files(RLIMIT_NOFILE, 3);
      const Limit signals(RLIMIT_SIGPENDING, 0);
      table_.arm(own_tid(), 0, true);
    }
    burn_ns(20'000'000);
    table_.note_cpu(own_tid(), base::thread_cpu_ns());
  });
  thread.join();
  while (!view()[0].ended) nobody_is_listed();
  EXPECT_GE(view()[0].unsampled_ns, 20'000'000u);
  table_.stop();
  ASSERT_EQ(table_.shortcomings().size(), 1u);
  EXPECT_EQ(table_.shortcomings()[0].find("1 thread was not sampled: 0.0"), 0u) << table_.shortcomings()[0];
  EXPECT_NE(table_.shortcomings()[0].find("timer_create"), std::string::npos);
}

// Room for one ring.
TEST(ThreadNumbers, AThreadWithoutARingIsReportedWithItsTimeAndTheCause) {
  TickWorld world(engines().back(), 1 << 27, kSecond);
  ASSERT_TRUE(world.ok());
  ThreadTable& table = world.threads;
  const Waiting first;
  Waiting second(20'000'000), third(20'000'000);
  table.exclude(own_tid());
  table.update({first.tid(), second.tid(), third.tid()});
  std::vector<ThreadView> threads;
  table.view(&threads);
  ASSERT_EQ(threads.size(), 1u);
  EXPECT_TRUE(table.take_refused(false).empty()) << "they live";
  EXPECT_EQ(table.take_refused(true).size(), 2u) << "a recording ends";
  second.end();
  table.update({first.tid(), third.tid()});
  const std::vector<RefusedThread> ended = table.take_refused(false);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].tid, second.tid());
  table.stop();
  ASSERT_EQ(table.take_refused(false).size(), 1u);
  ASSERT_EQ(table.shortcomings().size(), 1u);
  EXPECT_THAT(table.shortcomings()[0],
              ::testing::MatchesRegex("2 threads were not sampled: 0\\.[0-9]+ s of CPU time "
                                      "\\(all 256 MiB for rings are taken; threads that have one: 1\\)"));
}

std::atomic<int> g_taken{0};
void takers_handler(int) { ++g_taken; }

TEST(ThreadNumbers, TicksMoveToASignalThatIsFree) {
  for (const EngineChoice& engine : engines()) {
    TickWorld world(engine, 1 << 20, 1'000'000);
    ASSERT_TRUE(world.ok());
    const bool traps = engine.engine == wire::Engine::kPerf && engine.kernel_ticks;
    const int taken = traps ? SIGTRAP : TickWorld::kSignal;
    struct sigaction action {
    }, before{};
    std::thread([&] {
      const ThreadSlot& slot = world.arm_self();
      while (slot.shared->cpu().samples < 2) burn_ns(100'000);
      action.sa_handler = takers_handler;
      ::sigaction(taken, &action, &before);
      const int free_one = traps ? TickWorld::kSignal : move_tick_handler(taken);
      EXPECT_NE(free_one, 0);
      EXPECT_NE(free_one, taken);
      world.threads.move_to(free_one, false);
      const int late = g_taken;
      const uint64_t samples = slot.shared->cpu().samples;
      while (slot.shared->cpu().samples < samples + 5) burn_ns(100'000);
      EXPECT_EQ(g_taken, late);
      world.threads.stop();
      EXPECT_EQ(slot.shared->last_cpu_ns, weights_of(world, slot)) << "nothing is lost on the way";
      if (free_one != TickWorld::kSignal) remove_tick_handler(free_one);
      ::sigaction(taken, &before, nullptr);
    }).join();
    EXPECT_TRUE(world.threads.shortcomings().empty());
  }
}

// It would be given ticks by a wait for any signal.
TEST(ThreadNumbers, WhoBlocksTheTicksSignalHasNoneUntilItDoesNot) {
  for (const EngineChoice& engine : engines()) {
    TickWorld world(engine, 1 << 20, 1'000'000);
    ASSERT_TRUE(world.ok());
    std::thread([&] {
      sigset_t all, before;
      sigfillset(&all);
      ::pthread_sigmask(SIG_BLOCK, &all, &before);
      const ThreadSlot& slot = world.arm_self();
      burn_ns(20'000'000);
      const timespec at_once{};
      EXPECT_EQ(::sigtimedwait(&all, nullptr, &at_once), -1);
      EXPECT_EQ(slot.shared->cpu().samples, 0u);
      ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
      world.threads.update({own_tid()});
      while (slot.shared->cpu().samples < 2) burn_ns(100'000);
      world.threads.stop();
      EXPECT_GE(slot.shared->last_cpu_ns, 20'000'000u) << "it counts from its birth";
    }).join();
    EXPECT_TRUE(world.threads.shortcomings().empty());
  }
}

TEST(ThreadNumbers, WhoBlocksTheTicksSignalIsCountedWithItsTime) {
  TickWorld world({wire::Engine::kTimer, false, ""}, 1 << 16, 1'000'000);
  std::thread([&] {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    world.arm_self();
    burn_ns(20'000'000);
    world.threads.stop();
  }).join();
  ASSERT_EQ(world.threads.shortcomings().size(), 1u);
  EXPECT_NE(world.threads.shortcomings()[0].find("blocks the signal"), std::string::npos);
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
