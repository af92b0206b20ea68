// The counters of calls (wire/counter_blocks.h): blocks of them, which threads take when they count for the
// first time and give back when they end.
//
// Blocks lie at the same places as long as the process lives, for a thread that has one may be about to add
// to it at any moment, also behind the end of a recording. While a recording counts, they are mapped from its
// ring memory, so that they outlive the process; behind it they are zeroes that nobody reads. What is mapped
// is there before a method that uses it is rewritten: to add to a counter never needs new memory. Beyond
// kMostBytes threads get no blocks of their own any more, and count in the one that all share.
//
// One recording at a time. begin() to end(), make_room(), keep_spare(): one thread at a time. sums(): any.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "agent/linux/ring_memory.h"
#include "base/mutex.h"
#include "base/result.h"
#include "wire/counter_blocks.h"

namespace walkabout::agent {

class CallCounters {
 public:
  // Of all blocks; more only where threads have theirs already when methods are added.
  static constexpr uint64_t kMostBytes = 64 << 20;

  explicit CallCounters(RingMemory& rings) : rings_(rings) {}
  ~CallCounters() { end(); }
  CallCounters(const CallCounters&) = delete;
  CallCounters& operator=(const CallCounters&) = delete;

  // REQUIRES: the rings are mapped.
  base::Status begin();
  // Afterwards no method that counts is compiled any more; what is counted is lost.
  void end();
  // Counters of so many methods are there.
  base::Status make_room(uint32_t methods);
  // Some blocks are there that no thread has.
  void keep_spare();
  // By method; as many as there is room for.
  std::vector<uint64_t> sums() const;

 private:
  base::Status grow(uint32_t block) WALKABOUT_REQUIRES(mutex_);
  base::Status grow_or_withhold(uint32_t block) WALKABOUT_REQUIRES(mutex_);
  base::Status add_blocks(uint32_t wanted) WALKABOUT_REQUIRES(mutex_);

  RingMemory& rings_;
  mutable base::Mutex mutex_;
  bool begun_ WALKABOUT_GUARDED_BY(mutex_) = false;
  uint64_t block_bytes_ WALKABOUT_GUARDED_BY(mutex_) = 0;  // of each that may be counted in
  uint64_t bytes_ WALKABOUT_GUARDED_BY(mutex_) = 0;        // of all
  std::array<uint64_t, wire::kMostCounterBlocks> bytes_of_ WALKABOUT_GUARDED_BY(mutex_){};
};

}  // namespace walkabout::agent
