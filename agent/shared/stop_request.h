// Tells a thread of the agent that works at intervals to end, and wakes it for that. ask() from any thread,
// wait_for() from the one that is told.
#pragma once

#include <chrono>
#include <condition_variable>

#include "base/mutex.h"

namespace walkabout::agent {

class StopRequest {
 public:
  void ask() {
    const base::Lock lock(mutex_);
    asked_ = true;
    wake_.notify_all();
  }
  // True once it was asked, at once then; false when the time is over.
  bool wait_for(std::chrono::nanoseconds time) {
    base::Lock lock(mutex_);
    return wake_.wait_for(lock.waiting(), time, [this]() WALKABOUT_REQUIRES(mutex_) { return asked_; });
  }

 private:
  base::Mutex mutex_;
  std::condition_variable wake_;
  bool asked_ WALKABOUT_GUARDED_BY(mutex_) = false;
};

}  // namespace walkabout::agent
