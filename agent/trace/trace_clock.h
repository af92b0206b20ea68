// The clock of traced calls: the time stamp counter, in ticks. Any thread, any handler.
#pragma once

#include <x86intrin.h>

#include <cstdint>

namespace walkabout::agent {

inline uint64_t trace_ticks() { return __rdtsc(); }

// Ticks to nanoseconds: a product, and 32 bits less of it.
struct TickRate {
  uint64_t ns_per_tick = uint64_t{1} << 32;  // in 2^-32
  uint64_t ns(uint64_t ticks) const {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(ticks) * ns_per_tick >> 32);
  }
  uint64_t ticks(uint64_t ns) const {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(ns) << 32) / ns_per_tick);
  }
};

// One moment of both clocks, a few nanoseconds apart.
struct TickMoment {
  uint64_t ticks = 0;
  uint64_t ns = 0;  // of the monotonic clock
  static TickMoment now();
};
// REQUIRES: `to` is later.
TickRate rate_between(const TickMoment& from, const TickMoment& to);

}  // namespace walkabout::agent
