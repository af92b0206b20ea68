// Tells a thread of the agent that works at intervals to end, and wakes it for that. ask() from any thread,
// wait_for() from the one that is told.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace walkabout::agent {

class StopRequest {
 public:
  void ask() {
    const std::lock_guard lock(mutex_);
    asked_ = true;
    wake_.notify_all();
  }
  // True once it was asked, at once then; false when the time is over.
  bool wait_for(std::chrono::nanoseconds time) {
    std::unique_lock lock(mutex_);
    return wake_.wait_for(lock, time, [this] { return asked_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool asked_ = false;
};

}  // namespace walkabout::agent
