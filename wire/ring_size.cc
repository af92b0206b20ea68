#include "wire/ring_size.h"

#include <algorithm>

#include "wire/ring.h"

namespace walkabout::wire {
namespace {

constexpr uint64_t kTypicalFrames = 64;
constexpr uint32_t kLargestRing = 4u << 20;
constexpr uint32_t kSmallestRing = 64u << 10;

constexpr uint64_t kThreadsAndLibraries = uint64_t{1} << 30;

}  // namespace

uint32_t pass_ms(uint64_t interval_ns) {
  return interval_ns < 500'000 ? 20 : interval_ns < 5'000'000 ? 50 : 500;
}

uint32_t ring_size(uint64_t interval_ns, uint32_t depth, bool oracle) {
  const uint64_t per_pass = uint64_t{pass_ms(interval_ns)} * 1'000'000 / interval_ns + 1;
  const uint64_t wanted = std::max(per_pass * 2 * (sizeof(RawSample) + kTypicalFrames * sizeof(Frame)),
                                   uint64_t{depth} * sizeof(Frame) * 8) *
                          (oracle ? 4 : 1);
  uint32_t size = kSmallestRing;
  while (size < wanted && size < kLargestRing) size *= 2;
  return size;
}

uint64_t address_space_needed(uint32_t ring_size, uint64_t limit) {
  return mapping_size(ring_size) + limit / 2 + kThreadsAndLibraries;
}

}  // namespace walkabout::wire
