// Sums of events whose stacks are not walked (agent/core/tally.h), by thread, source and labels. The spooler
// emits a sample without a stack of what was added to a sum since its pass before; who reads the ring memory
// of a process that died finds here what was added since the last one (collect/recovery.h).
//
// They lie behind the notes about texts in the same mapping, all of it there or none: a hash table. Threads
// only add to the values of a row. So what was emitted is told from what was not, whenever the program dies:
// the spooler writes down what it is about to emit in the one of two places that is not the newest, and only
// then makes it the newest. Its index tells whether it came through the stream; if not, the other one did.
// Values of which the largest counts go back to 0 instead, before they are written out.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "wire/ring.h"

namespace walkabout::wire {

inline constexpr size_t kMostSums = 4096;
inline constexpr size_t kMostSumValues = 10, kMostSumLabels = 4;

// What was emitted of a row: of values that add up all, of the others what the last sample had.
struct EmittedSum {
  // Number of the sample that this was emitted with, among those of its thread and source with origin kTally.
  uint64_t index = 0;
  uint64_t values[kMostSumValues] = {};
};

struct SumRow {
  uint32_t thread = 0;
  uint32_t source = 0;
  uint64_t labels[kMostSumLabels] = {};
  std::atomic<uint64_t> values[kMostSumValues] = {};  // its thread; the spooler: back to 0
  // Values of which the largest counts: a bit for each, the first value's is the lowest.
  uint32_t largest = 0;
  std::atomic<uint32_t> newest{0};  // of `emitted`; release by the spooler
  bool walked = false;              // its thread: an event of the sum has its stack in a sample
  EmittedSum emitted[2];            // spooler

  bool is_largest(size_t value) const { return (largest >> value & 1) != 0; }
  // What was added to a value since `last` was emitted.
  uint64_t added(size_t value, const EmittedSum& last) const {
    const uint64_t now = values[value].load(std::memory_order_relaxed);
    return is_largest(value) ? now : now - last.values[value];
  }
};

struct Sums {
  // Of a row: 0 where there was none ever, kFreed where there was one, else a hash of its thread, source and
  // labels.
  static constexpr uint64_t kFreed = 1, kBeingWritten = 2, kLeastHash = 3;

  std::atomic<uint64_t> lost[kMostSources] = {};  // events that had no row, by source id - 1
  std::atomic<uint64_t> keys[kMostSums] = {};
  SumRow rows[kMostSums];
};
static_assert(sizeof(Sums) <= kSumsSize && kSumsSize - sizeof(Sums) < kSlotHeaderSize);

}  // namespace walkabout::wire
