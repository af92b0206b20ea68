#include "base/windows/win32.h"
// after win32.h
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "agent/windows/watchdog.h"

namespace walkabout::agent {
namespace {

// A thread that turns until it is told not to.
struct Turning {
  std::atomic<uint64_t> turns{0};
  std::atomic<bool> stop{false};
  HANDLE thread = ::CreateThread(nullptr, 0, run, this, 0, nullptr);
  static DWORD WINAPI run(void* self) {
    auto* turning = static_cast<Turning*>(self);
    while (!turning->stop.load()) {
      turning->turns.fetch_add(1);
      ::Sleep(0);
    }
    return 0;
  }
  ~Turning() {
    stop.store(true);
    ::WaitForSingleObject(thread, INFINITE);
    ::CloseHandle(thread);
  }
};

struct WatchdogTest : ::testing::Test {
  WatchdogTest() { EXPECT_TRUE(dog.start().ok()); }
  ~WatchdogTest() override { dog.stop(); }
  void stop_thread() {
    ASSERT_NE(::SuspendThread(turning.thread), static_cast<DWORD>(-1));
    dog.guard(turning.thread);
  }
  Watchdog dog;
  Turning turning;
};

TEST_F(WatchdogTest, AThreadThatStandsTooLongIsLetGo) {
  stop_thread();
  while (!dog.let_go()) ::Sleep(1);
  const uint64_t then = turning.turns.load();
  while (turning.turns.load() == then) ::Sleep(1);  // it runs
  EXPECT_FALSE(dog.release()) << "the walk is told";
  EXPECT_EQ(dog.rescues(), 1u);
}

TEST_F(WatchdogTest, AWalkThatEndsInTimeResumesItsThreadItself) {
  int in_time = 0;
  for (int i = 0; i < 100; ++i) {
    stop_thread();
    if (!dog.release()) continue;
    ++in_time;
    EXPECT_EQ(::ResumeThread(turning.thread), 1u) << "it still stood";
  }
  EXPECT_GT(in_time, 0);
  const uint64_t then = turning.turns.load();
  while (turning.turns.load() == then) ::Sleep(1);
}

TEST_F(WatchdogTest, ItComesBeforeEverythingElse) {
  HANDLE thread = ::OpenThread(THREAD_QUERY_INFORMATION, FALSE, static_cast<DWORD>(dog.tid()));
  EXPECT_EQ(::GetThreadPriority(thread), THREAD_PRIORITY_TIME_CRITICAL);
  ::CloseHandle(thread);
}

// What was learned of one walk must not be used on the next.
TEST_F(WatchdogTest, TheNextWalkIsAnother) {
  stop_thread();
  while (!dog.let_go()) ::Sleep(1);
  EXPECT_FALSE(dog.release());
  EXPECT_FALSE(dog.let_go());
  stop_thread();
  if (dog.release()) ::ResumeThread(turning.thread);
  EXPECT_FALSE(dog.let_go());
}

}  // namespace
}  // namespace walkabout::agent
