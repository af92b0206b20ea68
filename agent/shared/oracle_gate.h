// Keeps the oracle's walks and the runtime's suspensions apart. The CLR's walk may wait until a suspension
// ends (seen in RareDisablePreemptiveGC's place, .NET 10.0.12), and the thread it would wait on was
// interrupted anywhere: inside malloc, the loader or a condition variable that the suspending thread needs.
// So no walk is asked for while the runtime suspends its threads, and a suspension begins when no walk is
// under way. enter and leave: handlers, they never wait. close and open: the suspending thread, from
// RuntimeSuspendStarted and RuntimeResumeFinished; the next suspension may start before the last one's end is
// reported, so both are counted.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "base/clock.h"

namespace walkabout::agent {

class OracleGate {
 public:
  // False: do not ask. After true, leave().
  bool enter() {
    inside_.fetch_add(1);  // seq_cst on both sides: either close() sees us inside or we see it closed
    if (closed_.load() == 0) return true;
    leave();
    return false;
  }
  void leave() { inside_.fetch_sub(1); }

  // Waits for walks under way, microseconds each. Their time is bounded: a runtime that closes later than the
  // order above says (.NET before 9) must not wait for a walk that waits for it.
  void close() {
    closed_.fetch_add(1);
    const uint64_t until_ns = base::monotonic_ns() + kMostNs;
    while (inside_.load() > 0 && base::monotonic_ns() < until_ns) std::this_thread::sleep_for(kPause);
  }
  void open() { closed_.fetch_sub(1); }

 private:
  static constexpr std::chrono::microseconds kPause{20};
  static constexpr uint64_t kMostNs = 1'000'000'000;

  std::atomic<uint32_t> inside_{0};
  std::atomic<uint32_t> closed_{0};
};

}  // namespace walkabout::agent
