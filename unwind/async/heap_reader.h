// Reads of the managed heap while nothing in it moves. A word of a stack may look like an object and be none;
// what it leads to may be memory that another thread unmaps at that moment, as the runtime does with its
// views of code. So a page counts as one of the heap once an object that is known lies there; everything else
// is read by a guarded read, which does not fault.
//
// REQUIRES: no collection runs as long as this exists (agent/shared/heap_gate.h). Async-signal-safe if the
// guarded read is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace walkabout::unwind {

// Where objects may be. hi 0: not known, they may be anywhere.
struct HeapRange {
  uint64_t lo = 0, hi = 0;
};

class HeapReader {
 public:
  using Guarded = bool (*)(void* context, uint64_t address, void* to, size_t size);
  HeapReader(HeapRange range, Guarded guarded, void* context)
      : range_(range), guarded_(guarded), context_(context) {}

  // Whether an object could begin here.
  bool may_be_object(uint64_t address) const {
    if (range_.hi != 0) return address % 8 == 0 && address >= range_.lo && address < range_.hi;
    return address % 8 == 0 && address >= kLowest && address < kHighest;
  }
  bool load64(uint64_t address, uint64_t* value) { return load(address, value, sizeof *value); }
  bool load32(uint64_t address, uint32_t* value) { return load(address, value, sizeof *value); }
  // A known object lies here, which something alive refers to.
  void trust(uint64_t object) {
    if (!is_trusted(object / kPage)) pages_[next_++ % kPages] = object / kPage;
  }
  // From now on only references of objects that are alive are followed: all lead into the heap.
  void trust_all() { trusts_all_ = true; }

 private:
  static constexpr uint64_t kPage = 4096, kLowest = 1 << 16, kHighest = uint64_t{1} << 47;
  static constexpr size_t kPages = 16;

  bool is_trusted(uint64_t page) const {
    for (const uint64_t known : pages_) {
      if (known == page) return true;
    }
    return false;
  }
  // Values are aligned: none lies on two pages.
  bool load(uint64_t address, void* value, size_t size) {
    if (address % size != 0 || address < kLowest || address >= kHighest) return false;
    if (!trusts_all_ && !is_trusted(address / kPage)) return guarded_(context_, address, value, size);
    std::memcpy(value, reinterpret_cast<const void*>(address), size);
    return true;
  }

  HeapRange range_;
  Guarded guarded_;
  void* context_;
  uint64_t pages_[kPages] = {};
  size_t next_ = 0;
  bool trusts_all_ = false;
};

}  // namespace walkabout::unwind
