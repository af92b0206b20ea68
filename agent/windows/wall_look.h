// When a thread's wall-clock time is sampled next, and how much of it that sample stands for. Plain value;
// the sampler's thread.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace walkabout::agent {

class WallLook {
 public:
  // Of the thread that has the slot now; another one's look is forgotten. begin_ns: CLOCK_MONOTONIC, when it
  // was seen first.
  void of(base::ThreadId thread, uint64_t begin_ns, uint64_t cpu_ns) {
    if (thread_ == thread) return;
    *this = WallLook();
    thread_ = thread;
    sampled_ns_ = begin_ns;
    cpu_ns_ = cpu_ns;
  }
  // At each tick. Whether it has used CPU time since the tick before.
  bool ran(uint64_t cpu_ns) {
    const bool ran = cpu_ns > cpu_ns_;
    cpu_ns_ = cpu_ns;
    return ran;
  }
  bool is_due(uint64_t now_ns, uint64_t period_ns) const { return now_ns >= sampled_ns_ + period_ns; }
  // The time since its sample before, which a sample taken now stands for.
  uint64_t take(uint64_t now_ns) {
    const uint64_t all = now_ns > sampled_ns_ ? now_ns - sampled_ns_ : 0;
    sampled_ns_ += all;
    return all;
  }

 private:
  base::ThreadId thread_;
  uint64_t sampled_ns_ = 0, cpu_ns_ = 0;
};

}  // namespace walkabout::agent
