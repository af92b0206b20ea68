// How fast the time stamp counter runs.
#pragma once

#include <cstdint>

namespace walkabout::agent {

// Its cycles in a millisecond of the monotonic clock, at least 1. Takes a few milliseconds, which are exact
// to a thousandth.
uint64_t measure_tsc_per_ms();

}  // namespace walkabout::agent
