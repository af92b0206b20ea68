#include "agent/trace/trace_clock.h"

#include <sys/types.h>  // pid_t, which mingw's time.h leaves out

#include <algorithm>

#include "base/clock.h"

namespace walkabout::agent {

// The closest of some pairs: a thread may be switched away between two readings.
TickMoment TickMoment::now() {
  TickMoment best;
  uint64_t closest = UINT64_MAX;
  for (int i = 0; i < 16; ++i) {
    const uint64_t before = trace_ticks(), ns = base::monotonic_ns(), after = trace_ticks();
    if (after - before >= closest) continue;
    closest = after - before;
    best = {before + closest / 2, ns};
  }
  return best;
}

TickRate rate_between(const TickMoment& from, const TickMoment& to) {
  const uint64_t ticks = std::max<uint64_t>(to.ticks - from.ticks, 1);
  const auto ns = static_cast<unsigned __int128>(to.ns - from.ns);
  return {std::max<uint64_t>(static_cast<uint64_t>((ns << 32) / ticks), 1)};
}

}  // namespace walkabout::agent
