// How much CPU time the agent's callbacks take on the program's threads: what profiling costs the program
// besides its ticks. Any thread; lock-free. Two looks at the thread's clock (some 0.3 us each) stand in a
// scope: one goes around what takes longer than they do.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace walkabout::agent {

class CallbackTime {
 public:
  // CPU time, of all threads together.
  uint64_t ns() const { return ns_.load(std::memory_order_relaxed); }

  class Scope {
   public:
    explicit Scope(CallbackTime& time) : time_(time), began_ns_(base::thread_cpu_ns()) {}
    ~Scope() { time_.ns_.fetch_add(base::thread_cpu_ns() - began_ns_, std::memory_order_relaxed); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    CallbackTime& time_;
    const uint64_t began_ns_;
  };

 private:
  std::atomic<uint64_t> ns_{0};
};

}  // namespace walkabout::agent
