// Where calls are counted: behind the rings in the same memory (wire/ring.h), where it was asked for. Blocks
// of as many counters as methods can be counted; the calls of a method are the sum of its counter over all
// blocks. A block belongs to one thread at a time, which adds to it without a locked instruction; whoever has
// it next goes on from what is there. The first is everybody's: threads that have none of their own add to
// it, with locked instructions.
//
// RingHeader says how many blocks and counters may be read; both only grow.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/ring.h"

namespace walkabout::wire {

inline constexpr uint32_t kMostCountedMethods = 1u << 18;
inline constexpr uint32_t kMostCounterBlocks = 256;
inline constexpr uint64_t kCounterBlockSize = uint64_t{kMostCountedMethods} * sizeof(uint64_t);
inline constexpr uint64_t kCallCountersSize = kMostCounterBlocks * kCounterBlockSize;

// Where a block begins.
constexpr uint64_t counter_block_offset(uint32_t block, uint32_t ring_size) {
  return mapping_size(ring_size) + block * kCounterBlockSize;
}

}  // namespace walkabout::wire
