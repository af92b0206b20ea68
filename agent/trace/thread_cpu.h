// How long the calling thread did not run: ThreadTrace::off, in ticks. As long as it was not switched the
// clock of calls went on as its CPU time did; where it was, the kernel is asked. From a probe.
#pragma once

#include "agent/trace/thread_trace.h"
#include "agent/trace/trace_clock.h"

namespace walkabout::agent {

// Its words for threads without a count of their own. The first never changes, the second always has.
extern constinit const std::atomic<uint32_t> kNoSwitches, kAlwaysSwitched;

void begin_cpu_clock(ThreadTrace& thread);
// As of a thread that has none.
void forget_cpu_clock(ThreadTrace& thread);
// Who emits has found a count for it.
void give_switches(ThreadTrace& thread, const std::atomic<uint32_t>* switches);

void look_at_cpu_clock(ThreadTrace& thread);

// off is right as of now.
inline void keep_off(ThreadTrace& thread) {
  const std::atomic<uint32_t>& switches =
      *thread.switches.load(std::memory_order_acquire);  // partner: give_switches()
  if (switches.load(std::memory_order_relaxed) != thread.seen_switches) [[unlikely]]
    look_at_cpu_clock(thread);
}

}  // namespace walkabout::agent
