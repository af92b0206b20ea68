// Threads that the kernel gives no clock, that have no ring, or whose signal is taken or blocked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "agent/linux/test_thread_table.h"
#include "agent/linux/thread_table.h"

namespace walkabout::agent {
namespace {

using namespace testing;  // the world's spelling

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

uint64_t weights_of(TickWorld& world, const ThreadSlot& slot) {
  wire::Consumer ring(slot.shared, world.rings.ring_size());
  uint64_t weights = 0;
  for (const wire::RawSample* sample; (sample = ring.next()) != nullptr; ring.release())
    weights += sample->value;
  return weights;
}

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

// Whether the calling thread has ticks: a busy machine may give the first after many of the clock's
// intervals.
bool ticks_come(const ThreadSlot& slot) {
  const uint64_t enough = base::thread_cpu_ns() + 10 * kSecond;
  while (slot.shared->cpu().samples < 2 && base::thread_cpu_ns() < enough) burn_ns(100'000);
  return slot.shared->cpu().samples >= 2;
}

// A listing may find a thread in glibc's part of its start, where all signals are blocked.
TEST(ThreadNumbers, WhoBlockedTheTicksSignalWhenItBeganHasAClockAsSoonAsTheRuntimeKnowsIt) {
  TickWorld world({wire::Engine::kTimer, true, false, ""}, 1 << 20, 1'000'000);
  std::thread([&] {
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    world.threads.update({own_tid()});
    EXPECT_TRUE(world.threads.look_at_beginners());
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    world.threads.arm(own_tid(), kClr, true);
    EXPECT_TRUE(ticks_come(world.threads.slots()[0]));
    EXPECT_FALSE(world.threads.look_at_beginners());
    world.threads.stop();
  }).join();
}

TEST(ThreadNumbers, WhoBlockedTheTicksSignalWhenItBeganHasAClockSoon) {
  TickWorld world({wire::Engine::kTimer, true, false, ""}, 1 << 20, 1'000'000);
  std::thread([&] {
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    const ThreadSlot& slot = world.arm_self();
    EXPECT_TRUE(world.threads.look_at_beginners());
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    EXPECT_FALSE(world.threads.look_at_beginners());
    EXPECT_TRUE(ticks_come(slot));
    world.threads.stop();
  }).join();
}

TEST(ThreadNumbers, WhoBlocksTheTicksSignalIsCountedWithItsTime) {
  TickWorld world({wire::Engine::kTimer, false, false, ""}, 1 << 16, 1'000'000);
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

constexpr int kMostLooks = 5000;  // seconds

// Two threads that hand a byte to and fro, so that each is switched at each byte, until they only compute.
// Some work between, so that a few hundred bytes make the CPU time of some ticks: each can take milliseconds
// on a busy machine.
class Handing {
 public:
  Handing() {
    EXPECT_EQ(::pipe(there_), 0);
    EXPECT_EQ(::pipe(back_), 0);
    first_ = std::thread([this] { hand(first_tid, there_[1], back_[0]); });
    second_ = std::thread([this] { hand(second_tid, back_[1], there_[0]); });
    first_tid.wait(0);
    second_tid.wait(0);
  }
  ~Handing() {
    computes = ends_ = true;
    first_.join();
    second_.join();
    for (const int fd : {there_[0], there_[1], back_[0], back_[1]}) ::close(fd);
  }
  std::atomic<pid_t> first_tid{0}, second_tid{0};
  std::atomic<bool> computes{false};

 private:
  void hand(std::atomic<pid_t>& tid, int out, int in) {
    tid = own_tid();
    tid.notify_all();
    char byte = 0;
    while (!computes) {
      burn_ns(100'000);
      if (::write(out, &byte, 1) != 1 || ::read(in, &byte, 1) != 1) ADD_FAILURE();
    }
    if (::write(out, &byte, 1) != 1) ADD_FAILURE();  // the other one may wait for it
    while (!ends_) burn_ns(100'000);
  }

  int there_[2], back_[2];
  std::atomic<bool> ends_{false};
  std::thread first_, second_;
};

// Both have timers, which tick, until they only compute. False: they had not, or not for long, or had them
// on. On a busy machine two threads may happen to keep clear of the kernel's ticks, or to compute too little.
bool tick_by_timers_while_switched(const EngineChoice& engine) {
  TickWorld world(engine, 1 << 20, base::kernel_tick_ns());
  EXPECT_TRUE(world.ok());
  world.threads.exclude(own_tid());
  Handing threads;
  const std::vector<pid_t> both{threads.first_tid, threads.second_tid};
  const ThreadSlot &first = world.threads.slots()[0], &second = world.threads.slots()[1];
  const auto until = [&](auto is_so) {
    for (int looks = 0; !is_so(); ++looks) {
      if (looks == kMostLooks) return false;
      world.threads.update(both);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  };
  world.threads.update(both);
  EXPECT_GE(first.perf_fd, 0);
  if (!until([&] { return first.perf_fd < 0 && second.perf_fd < 0; })) return false;
  const uint64_t ticks = first.shared->cpu().samples;
  if (!until([&] { return first.shared->cpu().samples >= ticks + 2; })) return false;
  threads.computes = true;
  if (!until([&] { return first.perf_fd >= 0 && second.perf_fd >= 0; })) return false;
  world.threads.stop();
  EXPECT_EQ(world.threads.timers_note().find("2 threads were switched so often"), 0u)
      << world.threads.timers_note();
  EXPECT_TRUE(world.threads.shortcomings().empty());
  return true;
}

TEST(ThreadNumbers, AThreadThatIsSwitchedOftenTicksByATimerAsLongAsItIs) {
  for (EngineChoice engine : engines()) {
    if (engine.engine != wire::Engine::kPerf) continue;
    engine.may_use_timers = true;
    int tries = 1;
    while (!tick_by_timers_while_switched(engine)) ASSERT_LE(++tries, 30);
  }
}

// Broken by changing the clock of every thread that is switched often.
TEST(ThreadNumbers, AThreadThatBlocksTheSignalKeepsItsPerfEvent) {
  EngineChoice engine = engines().back();
  if (engine.engine != wire::Engine::kPerf || !engine.kernel_ticks) GTEST_SKIP() << "a trap's matter";
  engine.may_use_timers = true;
  TickWorld world(engine, 1 << 20, base::kernel_tick_ns());
  ASSERT_TRUE(world.ok());
  world.threads.exclude(own_tid());
  sigset_t signal, before;
  sigemptyset(&signal);
  sigaddset(&signal, TickWorld::kSignal);
  ::pthread_sigmask(SIG_BLOCK, &signal, &before);
  const Handing threads;  // they inherit the mask
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  const ThreadSlot& first = world.threads.slots()[0];
  int looks = 0;
  do {
    world.threads.update({threads.first_tid, threads.second_tid});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_LT(++looks, 12 * kMostLooks);
  } while (first.shared->cpu().samples < 6 * SwitchRate::kTicks);
  EXPECT_GE(first.perf_fd, 0);
  world.threads.stop();
  EXPECT_EQ(world.threads.timers_note(), "");
}

}  // namespace
}  // namespace walkabout::agent
