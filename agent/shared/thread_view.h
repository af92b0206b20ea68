// What the spooler gets of the threads: one view of each, and the sums of their counters. Plain values.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/ids.h"
#include "wire/ring.h"

namespace walkabout::agent {

struct ThreadView {
  base::ThreadId id;
  pid_t tid = 0;
  uint32_t slot = 0;
  bool managed = false;
  bool ended = false;            // no more samples will come once its ring is empty
  bool without_clock = false;    // valid when ended: it had none
  bool writer = false;           // a thread of the agent's: its samples are of others
  bool changed = false;          // something a Thread record says is new since the last view
  uint64_t first_seen_ns = 0;    // CLOCK_MONOTONIC
  uint64_t unsampled_ns = 0;     // valid when ended
  uint64_t counted_from_ns = 0;  // of the thread's CPU clock: where its first weight begins
  std::string managed_name;      // valid when changed
};

// A thread that got no ring, and so neither a slot nor an id: what it used that was not emitted yet.
struct RefusedThread {
  pid_t tid = 0;
  uint64_t first_seen_ns = 0;  // CLOCK_MONOTONIC
  uint64_t cpu_ns = 0;
};

// Of one source.
struct SourceTotals {
  uint64_t attempts = 0, samples = 0, taken = 0;
  uint64_t drops[static_cast<size_t>(wire::DropCause::kCount)] = {};
  // Attempts that ended in a counted drop.
  uint64_t all_drops() const;
};

// Sums over slots, of threads whose slots are free again as well, so that the totals never fall.
struct SlotTotals {
  SourceTotals sources[wire::kMostSources];  // by id - 1
  // CPU time of the handler, and of samples taken outside of it by the program's threads.
  uint64_t handler_ns = 0, callbacks_ns = 0;
  uint64_t frames = 0, overruns = 0;

  const SourceTotals& cpu() const { return sources[0]; }
  const SourceTotals& of(base::SourceId source) const { return sources[source.value - 1]; }
  void add(const wire::SlotHeader& s);
  // For the collector, should the process be killed.
  void publish(wire::RingTotals* to) const;
  // No thread is in the middle of a sample.
  bool settled() const;
};

}  // namespace walkabout::agent
