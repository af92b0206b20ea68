// The shared mapping that holds all rings (wire/ring.h): a memfd, which the collector holds too, so that what
// a killed target had not handed over outlives it (cli/recovery.h reads it). Pages are given out slot by
// slot, before a handler can write to them: a handler must never be the first to touch memory that may not be
// had. Thread rule: map() once; back() under the thread table's lock.
#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "wire/ring.h"

namespace walkabout::agent {

class RingMemory {
 public:
  RingMemory() = default;
  // REQUIRES: no handler writes to it any more.
  ~RingMemory();
  RingMemory(const RingMemory&) = delete;
  RingMemory& operator=(const RingMemory&) = delete;

  base::Status map(uint32_t ring_size, uint64_t monotonic_start_ns);
  // Makes slot `index` usable: its pages exist and its header is fresh.
  base::Status back(uint32_t index);
  // Gives the slot's pages back. Its header reads as zeroes afterwards.
  void give_back(uint32_t index);
  wire::SlotHeader* slot(uint32_t index) const;
  wire::RingHeader* header() const { return reinterpret_cast<wire::RingHeader*>(memory_); }
  uint32_t ring_size() const { return ring_size_; }
  int fd() const { return fd_.get(); }

 private:
  base::Fd fd_;
  uint8_t* memory_ = nullptr;
  uint32_t ring_size_ = 0;
};

}  // namespace walkabout::agent
