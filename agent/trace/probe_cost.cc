#include "agent/trace/probe_cost.h"

#include <algorithm>

#include "agent/trace/trace_frames.h"

namespace walkabout::agent {
namespace {

constexpr int kRounds = 40, kCallsOfRound = 200;

// Called as jitted code does: by an address.
struct Probes {
  uint64_t (*volatile enter)(uint64_t) = walkabout_trace_enter;
  void (*volatile leave)(uint64_t, uint64_t) = walkabout_trace_leave;
};

uint64_t picoseconds(uint64_t ticks, uint64_t divisor) {
  const TickRate rate{g_trace.ns_per_tick.load(std::memory_order_relaxed)};
  return rate.ns(ticks * 1000) / divisor;
}

uint64_t clock_ticks_of_round() {
  const uint64_t begin = trace_ticks();
  uint64_t last = 0;
  for (int i = 0; i < kCallsOfRound; ++i) last = trace_ticks();
  return last - begin;
}

}  // namespace

// The least of many rounds: the machine does other things as well.
ProbeCost measure_probe_cost(ThreadTrace& thread) {
  const Probes probes;
  uint64_t least_clock = UINT64_MAX, least_inside = UINT64_MAX, least_all = UINT64_MAX;
  for (int round = 0; round < kRounds; ++round) {
    least_clock = std::min(least_clock, clock_ticks_of_round());
    const uint64_t outer = probes.enter(0);
    const TraceFrame& frame = thread.top();
    const uint64_t begin = trace_ticks();
    for (int i = 0; i < kCallsOfRound; ++i) probes.leave(probes.enter(1), kTraceReturned);
    const uint64_t all = trace_ticks() - begin, inside = frame.children;
    probes.leave(outer, kTraceReturned);
    least_inside = std::min(least_inside, inside);
    least_all = std::min(least_all, all);
  }
  ProbeCost cost;
  cost.clock_ps = picoseconds(least_clock, kCallsOfRound);
  cost.inside_ps = picoseconds(least_inside, kCallsOfRound);
  cost.outside_ps = picoseconds(least_all - std::min(least_all, least_inside), kCallsOfRound);
  return cost;
}

}  // namespace walkabout::agent
