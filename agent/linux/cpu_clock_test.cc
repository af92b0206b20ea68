#include "agent/linux/cpu_clock.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "agent/linux/session/tick_world.h"
#include "base/linux/tick_trap.h"

namespace walkabout::agent {
namespace {

using namespace testing;  // burn_ns, own_tid

std::atomic<int> g_ticks{0};
std::atomic<pid_t> g_ticked{0};
std::atomic<int> g_value{0};

void count(int, siginfo_t* info, void*) {
  g_ticked = own_tid();
  uint32_t slot = 0;
  const auto value = reinterpret_cast<uint64_t>(info->si_value.sival_ptr);
  g_value = base::read_tick_data(value, &slot) ? static_cast<int>(slot) : -1;
  ++g_ticks;
}

class CpuClockTest : public ::testing::Test {
 protected:
  CpuClockTest() {
    g_ticks = 0;
    struct sigaction action {};
    action.sa_sigaction = count;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigaction(SIGURG, &action, &before_);
  }
  ~CpuClockTest() override { ::sigaction(SIGURG, &before_, nullptr); }
  struct sigaction before_ {};
};

TEST_F(CpuClockTest, ATimerTicksOnItsThreadAndCarriesItsSlot) {
  std::thread([] {
    CpuClock clock;
    ASSERT_TRUE(open_timer_clock(own_tid(), 42, 100'000, 100'000, SIGURG, &clock).ok());
    while (g_ticks < 3) burn_ns(100'000);
    close_clock(&clock);
    EXPECT_EQ(g_ticked, own_tid());
    EXPECT_EQ(g_value, 42);
    EXPECT_FALSE(clock.has_timer);
    close_clock(&clock);  // once more harms nothing
  }).join();
}

TEST_F(CpuClockTest, APerfEventTicksOnItsThreadAndCountsItsTime) {
  const auto choice = choose_engine(RequestedEngine::kPerf, 1'000'000);
  if (!choice.ok()) GTEST_SKIP() << choice.message();
  std::thread([&] {
    CpuClock clock;
    ASSERT_TRUE(open_perf_clock(DescriptorHost(), own_tid(), 200'000, SIGURG, &clock).ok());
    EXPECT_EQ(counted_ns(clock), 0u) << "not started";
    ASSERT_TRUE(start_perf_clock(clock).ok());
    while (g_ticks < 3) burn_ns(100'000);
    EXPECT_EQ(g_ticked, own_tid());
    const uint64_t counted = counted_ns(clock);
    EXPECT_GE(counted, 3 * 200'000u);
    burn_ns(100'000);
    EXPECT_GT(counted_ns(clock), counted);
    close_clock(&clock);
    EXPECT_EQ(counted_ns(clock), 0u);
    EXPECT_EQ(clock.perf_fd, -1);
  }).join();
}

TEST_F(CpuClockTest, AThreadThatIsGoneIsAnErrorThatNamesTheCall) {
  pid_t tid = 0;
  std::thread([&] { tid = own_tid(); }).join();
  while (::syscall(SYS_tgkill, ::getpid(), tid, 0) == 0) ::usleep(100);  // joined a moment before it is gone
  CpuClock clock;
  const base::Status timer = open_timer_clock(tid, 0, 1000, 1000, SIGURG, &clock);
  ASSERT_FALSE(timer.ok());
  EXPECT_NE(timer.message().find("timer_create"), std::string::npos);
  const base::Status perf = open_perf_clock(DescriptorHost(), tid, 1000, SIGURG, &clock);
  ASSERT_FALSE(perf.ok());
  EXPECT_NE(perf.message().find("perf_event_open"), std::string::npos);
  EXPECT_FALSE(clock.has_timer);
  EXPECT_EQ(clock.perf_fd, -1);
}

TEST_F(CpuClockTest, TheRequestDecidesTheEngine) {
  const auto timer = choose_engine(RequestedEngine::kTimer, 10'000'000);
  ASSERT_TRUE(timer.ok());
  EXPECT_EQ(timer->engine, wire::Engine::kTimer);
  EXPECT_EQ(timer->note, "") << "asked for, and not faster than the kernel's tick";
  const auto fast = choose_engine(RequestedEngine::kTimer, 100'000);
  EXPECT_NE(fast->note.find("kernel's tick"), std::string::npos);
  const auto automatic = choose_engine(RequestedEngine::kAuto, 10'000'000);
  ASSERT_TRUE(automatic.ok());
  const auto perf = choose_engine(RequestedEngine::kPerf, 10'000'000);
  EXPECT_EQ(automatic->engine == wire::Engine::kPerf, perf.ok());
  if (perf.ok()) return;
  EXPECT_NE(perf.message().find("--engine timer"), std::string::npos) << "the next step";
}

}  // namespace
}  // namespace walkabout::agent
