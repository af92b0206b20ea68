// How durations of calls are put together: eight buckets for each doubling, so that a bucket's middle is at
// most 6.25% away from what is in it; below 16 ns one for each. Pure; any thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace walkabout::wire {

inline constexpr uint32_t kTraceBuckets = 16 + 8 * 39;  // the last one: 2.4 hours and more

constexpr uint32_t trace_bucket(uint64_t ns) {
  if (ns < 16) return static_cast<uint32_t>(ns);
  const uint32_t power = static_cast<uint32_t>(std::bit_width(ns)) - 1;  // at least 4
  const uint32_t bucket = 16 + (power - 4) * 8 + static_cast<uint32_t>(ns >> (power - 3) & 7);
  return std::min(bucket, kTraceBuckets - 1);
}

// The least that is in it.
constexpr uint64_t trace_bucket_begin(uint32_t bucket) {
  if (bucket < 16) return bucket;
  const uint32_t power = (bucket - 16) / 8 + 4;
  return (uint64_t{8} + (bucket - 16) % 8) << (power - 3);
}

}  // namespace walkabout::wire
