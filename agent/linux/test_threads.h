// Threads for tests to look at.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace walkabout::agent::testing {

// One that computes from its construction until stop().
class ComputingThread {
 public:
  ComputingThread() {
    thread_ = std::thread([this] {
      tid_ = static_cast<pid_t>(::syscall(SYS_gettid));
      while (!stop_) {
      }
    });
    while (tid_ == 0) std::this_thread::yield();
  }
  ~ComputingThread() { stop(); }
  ComputingThread(const ComputingThread&) = delete;
  ComputingThread& operator=(const ComputingThread&) = delete;

  pid_t tid() const { return tid_; }
  void stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<pid_t> tid_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace walkabout::agent::testing
