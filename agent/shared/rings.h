// All rings in one mapping (wire/ring.h): where a slot is in it, and what of it may be used. Where the memory
// comes from is each system's own (RingMemory). Thread rule: begin() once; back(), back_callback_lane()
// and give_back() under the thread table's lock; the rest any thread.
#pragma once

#include <array>
#include <atomic>
#include <deque>

#include "base/result.h"
#include "wire/ring.h"

namespace walkabout::agent {

class Rings {
 public:
  Rings() = default;
  Rings(const Rings&) = delete;
  Rings& operator=(const Rings&) = delete;

  // Makes slot `index` usable with its first lane: the memory exists and the header is fresh.
  base::Status back(uint32_t index);
  // Makes the slot's second lane usable. Until it is given back; a slot that is used again may have it
  // already. REQUIRES: the slot is backed.
  base::Status back_callback_lane(uint32_t index);
  // REQUIRES: nobody writes to the slot any more. Its header reads as zeroes. The memory of the slots that
  // were given back last stays, for threads that come and go.
  void give_back(uint32_t index);
  wire::SlotHeader* slot(uint32_t index) const {
    return reinterpret_cast<wire::SlotHeader*>(memory_ + wire::slot_offset(index, ring_size_));
  }
  uint8_t* lane(uint32_t index, wire::Lane lane) const {
    return memory_ + wire::lane_offset(index, lane, ring_size_);
  }
  bool has_callback_lane(uint32_t index) const {
    return index < wire::kMaxSlots && has_lane_[index].load(std::memory_order_acquire);
  }
  uint32_t slots() const { return wire::slots_of(ring_size_); }
  // Makes the header of the notes about code usable, and `size` of their bytes from `at` on.
  base::Status back_notes(uint64_t at, uint64_t size);
  uint8_t* notes() const { return memory_ + wire::notes_offset(ring_size_); }
  // The same of texts.
  base::Status back_text_notes(uint64_t at, uint64_t size);
  uint8_t* text_notes() const { return memory_ + wire::text_notes_offset(ring_size_); }
  // Makes the sums usable; they read as zeroes.
  base::Status back_sums() { return commit(wire::sums_offset(ring_size_), wire::kSumsSize); }
  uint8_t* sums() const { return memory_ + wire::sums_offset(ring_size_); }
  wire::RingHeader* header() const { return reinterpret_cast<wire::RingHeader*>(memory_); }
  uint32_t ring_size() const { return ring_size_; }

 protected:
  ~Rings() = default;
  // Makes memory of the mapping exist.
  virtual base::Status commit(uint64_t offset, uint64_t size) = 0;
  // Undoes it: zeroes are read there. A section of Windows keeps what was committed.
  virtual void drop(uint64_t /*offset*/, uint64_t /*size*/) {}
  // The mapping is there, of wire::mapping_size(ring_size).
  base::Status begin(uint8_t* memory, uint32_t ring_size, uint64_t monotonic_start_ns);
  uint8_t* memory() const { return memory_; }

 private:
  // Of what has a header of a page at `offset`: that, or `size` bytes from `at` on behind it.
  base::Status back_behind_header(uint64_t offset, uint64_t at, uint64_t size);

  uint8_t* memory_ = nullptr;
  uint32_t ring_size_ = 0;
  uint32_t used_slots_ = 0;                                    // the highest that ever was, and 1
  uint32_t callback_lanes_ = 0;                                // that are backed
  std::array<std::atomic<bool>, wire::kMaxSlots> has_lane_{};  // by slot; release, partner: who asks
  std::deque<uint32_t> kept_;                                  // slots of nobody whose memory is still there
};

}  // namespace walkabout::agent
