// What sampling counted, and what it cost.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "wire/field.h"
#include "wire/record_type.h"

namespace walkabout::wire {

// Of a source but kCpuSource, as in Counters.
struct SourceCounters {
  base::SourceId source;
  uint64_t attempts = 0;
  uint64_t samples = 0;
  std::vector<uint64_t> drops;  // indexed by DropCause
};
template <typename = void>
constexpr auto fields(const SourceCounters*) {
  return std::tuple(as::number(1, &SourceCounters::source), as::number(2, &SourceCounters::attempts),
                    as::number(3, &SourceCounters::samples), as::column(4, &SourceCounters::drops));
}

// Totals since the start; the last one emitted counts. attempts == samples + sum(drops), always, for each
// source; those that stand here themselves are kCpuSource's.
struct Counters {
  static constexpr RecordType kType = RecordType::kCounters;
  uint64_t time_us = 0;
  uint64_t attempts = 0;
  uint64_t samples = 0;
  std::vector<uint64_t> drops;       // packed, indexed by DropCause
  uint64_t handler_ns = 0;           // CPU time inside the signal handler
  uint64_t agent_threads_ns = 0;     // CPU time of the agent's own threads
  uint64_t process_cpu_ns = 0;       // CPU time of the process since Session start
  uint64_t walk_cycles_p50 = 0;      // median TSC cycles of a walk
  uint64_t walk_frames = 0;          // frames walked by ticks
  uint64_t timer_overruns = 0;       // engine timer: ticks the kernel merged
  std::vector<uint64_t> unknown_pc;  // first few addresses no rule was found for (diagnosis)
  uint64_t callbacks_ns = 0;         // CPU time inside the agent's callbacks; Linux only
  std::vector<SourceCounters> sources;

  // CPU time that profiling took, as far as it was counted.
  uint64_t profiling_ns() const { return handler_ns + callbacks_ns + agent_threads_ns; }
};
template <typename = void>
constexpr auto fields(const Counters*) {
  return std::tuple(as::time(1, &Counters::time_us), as::number(2, &Counters::attempts),
                    as::number(3, &Counters::samples), as::column(4, &Counters::drops),
                    as::time(5, &Counters::handler_ns), as::time(6, &Counters::agent_threads_ns),
                    as::time(7, &Counters::process_cpu_ns), as::number(8, &Counters::walk_cycles_p50),
                    as::number(9, &Counters::walk_frames), as::number(10, &Counters::timer_overruns),
                    as::column(11, &Counters::unknown_pc), as::time(12, &Counters::callbacks_ns),
                    as::messages(13, &Counters::sources));
}

// The agent changed its rate to keep to its budget: from now on one sample every interval_ns of a thread's
// CPU time. Also the first thing emitted in a recording that begins with another rate than
// Session.interval_ns.
struct Rate {
  static constexpr RecordType kType = RecordType::kRate;
  uint64_t time_us = 0;
  uint64_t interval_ns = 0;
  uint64_t before_ns = 0;   // until now
  uint64_t cost_ppm = 0;    // what sampling took of the process's CPU time lately, in millionths
  uint64_t budget_ppm = 0;  // what it may take
};
template <typename = void>
constexpr auto fields(const Rate*) {
  return std::tuple(as::time(1, &Rate::time_us), as::time(2, &Rate::interval_ns),
                    as::time(3, &Rate::before_ns), as::number(4, &Rate::cost_ppm),
                    as::number(5, &Rate::budget_ppm));
}

}  // namespace walkabout::wire
