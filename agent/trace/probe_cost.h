// What tracing a call costs, measured on this machine.
#pragma once

#include <cstdint>

namespace walkabout::agent {

struct ThreadTrace;

struct ProbeCost {
  uint64_t clock_ps = 0;    // one reading of the clock
  uint64_t inside_ps = 0;   // of a call's probe what falls into its own time
  uint64_t outside_ps = 0;  // and what into its caller's
};

// REQUIRES: the calling thread traces, and what it has counted is of no interest: methods 0 and 1 are called
// often. Takes about a millisecond.
ProbeCost measure_probe_cost(ThreadTrace& thread);

}  // namespace walkabout::agent
