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
  bool holds(uint64_t cpu_ns) const {
    return cpu_ns / 1000 < state_.load(std::memory_order_relaxed) >> kCountedBits;
  }
  // A walk that began at cpu_ns is not followed by another within `factor` times its cost.
  void walked(uint64_t cpu_ns, uint64_t cost_ns, uint64_t factor) {
    const uint64_t last_ns = (state_.load(std::memory_order_relaxed) & kMostCounted) * kCountedNs;
    const uint64_t counted_ns = std::min(cost_ns, std::max(kTrustedNs, kMostGrowth * last_ns));
    const uint64_t until_us = (cpu_ns + counted_ns * factor + 999) / 1000;
    state_.store(until_us << kCountedBits | std::min(counted_ns / kCountedNs, kMostCounted),
                 std::memory_order_relaxed);
  }
  void reset() { state_.store(0, std::memory_order_relaxed); }

 private:
  static constexpr uint64_t kCountedBits = 16, kMostCounted = (1 << kCountedBits) - 1, kCountedNs = 100'000;

  // Until when, in microseconds; below it what the last walk counted as. One word: there are many slots.
  std::atomic<uint64_t> state_{0};
};

}  // namespace walkabout::agent
