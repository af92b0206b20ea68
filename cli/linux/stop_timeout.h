// How long an agent that was asked to stop is waited for. One on a busy machine still sends what it has, and
// is waited for as long as it waits for itself (agent/core/spooler.h, kLongestStopNs) and somewhat longer.
#pragma once

#include <algorithm>
#include <cstdint>

namespace walkabout::cli {

struct StopTimeout {
  uint64_t silent_ns;  // without a record
  uint64_t longest_ns = 70'000'000'000;

  // All times are CLOCK_MONOTONIC. last_came_ns: when records came last; 0: never.
  constexpr bool is_over(uint64_t now_ns, uint64_t requested_ns, uint64_t last_came_ns) const {
    return now_ns > requested_ns + longest_ns || now_ns > std::max(requested_ns, last_came_ns) + silent_ns;
  }
};

}  // namespace walkabout::cli
