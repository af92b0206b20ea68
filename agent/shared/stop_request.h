// Tells a thread of the agent that works at intervals to end, and wakes it for that. request() from any
// thread, wait_for() from the one that works.
#pragma once

#include <chrono>
#include <condition_variable>

#include "base/mutex.h"

namespace walkabout::agent {

class StopRequest {
 public:
  void request() {
    const base::Lock lock(mutex_);
    requested_ = true;
    wake_.notify_all();
  }
  // True once it was requested, at once then; false when the time is over.
  bool wait_for(std::chrono::nanoseconds time) {
    base::Lock lock(mutex_);
    return wake_.wait_for(lock.waiting(), time, [this]() WALKABOUT_REQUIRES(mutex_) { return requested_; });
  }

 private:
  base::Mutex mutex_;
  std::condition_variable wake_;
  bool requested_ WALKABOUT_GUARDED_BY(mutex_) = false;
};

}  // namespace walkabout::agent
