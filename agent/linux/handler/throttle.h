// When a thread may be walked again: walks take at most a share of its CPU time.
//
// One walk can cost a thousand times as much as the next: the pages it reads had to be brought back first. It
// must not keep its thread from being sampled for a second. So a cost counts in full only behind others like
// it: at most so many times what the one before it counted as, and kTrustedNs without question.
//
// One thread at a time; reset() while no tick can come.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace walkabout::agent {

class Throttle {
 public:
  static constexpr uint64_t kTrustedNs = 1'000'000;
  static constexpr uint64_t kMostGrowth = 4;

  // cpu_ns: the thread's CPU clock.
  bool holds(uint64_t cpu_ns) const { return cpu_ns < until_ns_.load(std::memory_order_relaxed); }
  // A walk that began at cpu_ns is not followed by another within `factor` times its cost.
  void walked(uint64_t cpu_ns, uint64_t cost_ns, uint64_t factor) {
    counted_ns_ = std::min(cost_ns, std::max(kTrustedNs, kMostGrowth * counted_ns_));
    until_ns_.store(cpu_ns + counted_ns_ * factor, std::memory_order_relaxed);
  }
  void reset() {
    counted_ns_ = 0;
    until_ns_.store(0, std::memory_order_relaxed);
  }

 private:
  std::atomic<uint64_t> until_ns_{0};
  uint64_t counted_ns_ = 0;  // of the last walk
};

}  // namespace walkabout::agent
