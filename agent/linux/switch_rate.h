// How often a thread is given a processor, for the CPU time that it uses. The kernel starts and stops the
// timer of a perf event at each switch, which takes 2 us for ticks of 10 ms; a CPU timer costs nothing there
// (`./dev bench switches`). So a thread that is switched often ticks by a CPU timer.
//
// Pure; one thread.
#pragma once

#include <cstdint>

#include "agent/linux/blocked_thread.h"

namespace walkabout::agent {

enum class ThreadClock : uint8_t { kPerfEvent, kTimer };

class SwitchRate {
 public:
  // Of a thread between two looks.
  static constexpr uint64_t kTicks = 4;
  // Switches in a second of CPU time. Between the two a thread keeps the clock that it has.
  static constexpr uint64_t kOften = 4000, kSeldom = 1000;
  // A CPU timer comes at the kernel's ticks only. Work that keeps clear of these has none in so many
  // intervals of CPU time.
  static constexpr uint64_t kIntervalsWithoutTick = 32;

  // Of the thread's ticks and CPU time since its start, whenever it is looked at.
  void looks(uint64_t ticks, uint64_t cpu_ns) {
    if (ticks == ticks_) return;
    ticks_ = ticks;
    cpu_at_tick_ns_ = cpu_ns;
  }
  bool is_due() const { return ticks_ - judged_ticks_ >= kTicks; }
  bool lacks_ticks(uint64_t cpu_ns, uint64_t interval_ns) const {
    return cpu_ns > cpu_at_tick_ns_ + kIntervalsWithoutTick * interval_ns;
  }
  // What the thread should have, by what it did since the last judgement, or its start. REQUIRES: is_due().
  ThreadClock judge(const SchedCounts& now, ThreadClock has) {
    const SchedCounts before = judged_;
    judged_ = now;
    judged_ticks_ = ticks_;
    cpu_at_tick_ns_ = now.ran_ns;
    if (now.runs == 0 || now.ran_ns <= before.ran_ns) return has;
    const uint64_t a_second = (now.runs - before.runs) * 1'000'000'000 / (now.ran_ns - before.ran_ns);
    if (a_second >= kOften) return ThreadClock::kTimer;
    return a_second <= kSeldom ? ThreadClock::kPerfEvent : has;
  }

 private:
  uint64_t ticks_ = 0, cpu_at_tick_ns_ = 0;
  uint64_t judged_ticks_ = 0;
  SchedCounts judged_;
};

}  // namespace walkabout::agent
