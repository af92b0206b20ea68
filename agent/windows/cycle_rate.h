// From a thread's cycles (QueryThreadCycleTime) to nanoseconds. GetThreadTimes moves by the system's tick
// only, 15.6 ms on Windows and 10 ms under Wine, which is longer than ours: by it alone a thread that runs
// looks idle at most ticks. What a cycle is the system does not say, so the calling thread measures it on
// itself, once, before anything is sampled.
//
// Pure but for measured(); a value, any thread.
#pragma once

#include <cstdint>
#include <span>

namespace walkabout::agent {

class CycleRate {
 public:
  // The calling thread's cycles and the time that passed meanwhile.
  struct Window {
    uint64_t cycles = 0;
    uint64_t ns = 0;
  };
  CycleRate() = default;
  // The second highest rate counts. In a window the thread may not have run all the time, so that its rate is
  // too low; too high is none, but for one that was measured badly. Unknown where that is 0, as with a system
  // that does not count (Wine 8).
  static CycleRate of(std::span<const Window> windows);
  // Keeps the calling thread busy for about 2 ms; not at all where the system does not count.
  static CycleRate measured();

  bool known() const { return ns_per_cycle_ > 0; }
  uint64_t ns(uint64_t cycles) const {
    return static_cast<uint64_t>(static_cast<double>(cycles) * ns_per_cycle_);
  }

 private:
  double ns_per_cycle_ = 0;
};

}  // namespace walkabout::agent
