// For tests of ThreadTable: threads that a test lets live and end, and a table that knows them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "agent/linux/session/tick_world.h"
#include "agent/linux/thread_table.h"

namespace walkabout::agent::testing {

inline constexpr uint64_t kSecond = 1'000'000'000;
inline constexpr clr::ThreadID kClr = 0x1234;

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

}  // namespace walkabout::agent::testing
