// The mapping that holds all rings (wire/ring.h): a section of the page file, reserved as a whole, its memory
// given out slot by slot. Thread rule: map() once; back() under the thread table's lock.
#pragma once

#include "base/result.h"
#include "wire/ring.h"

namespace walkabout::agent {

class RingMemory {
 public:
  RingMemory() = default;
  // REQUIRES: nobody writes to it any more.
  ~RingMemory();
  RingMemory(const RingMemory&) = delete;
  RingMemory& operator=(const RingMemory&) = delete;

  base::Status map(uint32_t ring_size, uint64_t monotonic_start_ns);
  // Makes slot `index` usable: its memory exists and its header is fresh.
  base::Status back(uint32_t index);
  wire::SlotHeader* slot(uint32_t index) const;
  wire::RingHeader* header() const { return reinterpret_cast<wire::RingHeader*>(memory_); }
  uint32_t ring_size() const { return ring_size_; }

 private:
  bool commit(uint64_t offset, uint64_t size);

  void* section_ = nullptr;
  uint8_t* memory_ = nullptr;
  uint32_t ring_size_ = 0;
};

}  // namespace walkabout::agent
