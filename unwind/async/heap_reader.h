// Reads of the managed heap while nothing in it moves. A word of a stack may look like an object and be none;
// what it leads to may be memory that another thread unmaps at that moment, as the runtime does with its
// views of code. So a plain load is for what is known to stay: regions of the heap (heap_regions.h), and
// pages on which an object that is known was found. Everything else is read by a guarded read, which does not
// fault and is a system call.
//
// REQUIRES: no collection runs as long as this exists (agent/shared/heap_gate.h). Async-signal-safe if the
// guarded read is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "unwind/async/heap_regions.h"

namespace walkabout::unwind {

class HeapReader {
 public:
  using Guarded = bool (*)(void* context, uint64_t address, void* to, size_t size);
  // How many of these addresses, from the first on, can be read; one guarded read for all. Null: nobody
  // tells.
  using CountReadable = size_t (*)(std::span<const uint64_t> addresses);
  HeapReader(const HeapView& heap, Guarded guarded, void* context, CountReadable count = nullptr)
      : heap_(heap), guarded_(guarded), context_(context), count_(count) {}

  // False: nothing may be read now.
  bool reads() const { return heap_.open; }
  // Whether an object of the heap could begin here, as far as it is known where that lies.
  bool may_be_object(uint64_t address) const {
    return heap_.open && is_place(address) &&
           (heap_.range.hi == 0 || (address >= heap_.range.lo && address < heap_.range.hi));
  }
  // Whether a reference may have this value.
  static bool is_place(uint64_t address) {
    return address % 8 == 0 && address >= kLowest && address < kHighest;
  }
  bool load64(uint64_t address, uint64_t* value) { return load(address, value, sizeof *value); }
  bool load32(uint64_t address, uint32_t* value) { return load(address, value, sizeof *value); }
  // Loads from so many bytes are to come: one guarded read is for all of them, where one is needed.
  void expect(uint64_t address, size_t size);
  // A known object lies here, which something alive refers to.
  void trust(uint64_t object);
  // Every load is plain. REQUIRES: all threads stand, no collection is under way, and only references of
  // objects are followed that the runtime lists: whatever these refer to is there.
  void trust_all() { trusts_all_ = true; }

 private:
  static constexpr uint64_t kPage = HeapRegions::kPage, kLowest = 1 << 16, kHighest = uint64_t{1} << 47;
  static constexpr size_t kPages = 16, kWindow = 128;

  bool is_trusted(uint64_t page) const;
  bool is_plain(uint64_t address, size_t size);
  bool open_window(uint64_t address, size_t size);
  bool load(uint64_t address, void* value, size_t size);

  HeapView heap_;
  Guarded guarded_;
  void* context_;
  CountReadable count_;
  const HeapRegion* region_ = nullptr;  // of the last load
  uint64_t pages_[kPages] = {};
  size_t next_ = 0;
  bool trusts_all_ = false;
  // What the last guarded read gave.
  uint64_t window_at_ = 0;
  size_t window_size_ = 0;
  unsigned char window_[kWindow];
};

}  // namespace walkabout::unwind
