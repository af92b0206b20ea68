#include "agent/shared/tsc_rate.h"

#include <x86intrin.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/clock.h"

namespace walkabout::agent {

uint64_t measure_tsc_per_ms() {
  const uint64_t ns = base::monotonic_ns(), tsc = __rdtsc();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const uint64_t ns_passed = base::monotonic_ns() - ns;
  return std::max<uint64_t>((__rdtsc() - tsc) * 1'000'000 / std::max<uint64_t>(ns_passed, 1), 1);
}

}  // namespace walkabout::agent
