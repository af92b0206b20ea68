// Where the managed heap lies and what of it can be read without a fault, as the runtime told it after a
// collection. Async-signal-safe.
//
// A region of a young generation stays as it is until the next collection stops all threads. One of an old
// generation may be given back before that, by a collection in the background, and counts only where none is
// under way. What is in no region is not known: it may be of the heap all the same, for the heap grows
// between two collections.
//
// find() and may_load(): any thread, while no collection runs. The rest: one thread, while nobody reads.
// Source: ICorProfilerInfo2::GetGenerationBounds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace walkabout::unwind {

// Where objects may be. hi 0: not known, they may be anywhere.
struct HeapRange {
  uint64_t lo = 0, hi = 0;
};

struct HeapRegion {
  uint64_t begin = 0, end = 0;  // what is reserved for it
  bool young = false;
  // [begin, readable) does not fault. It only grows: memory is taken into use from the region's begin on.
  std::atomic<uint64_t> readable{0};
  std::atomic<bool> looked_ahead{false};
};

class HeapRegions {
 public:
  HeapRegions() = default;
  // Outlives this.
  explicit HeapRegions(std::span<HeapRegion> room) : room_(room) {}

  // Null: not known.
  HeapRegion* find(uint64_t address) const {
    size_t from = 0, to = used_;
    while (from < to) {
      const size_t middle = from + (to - from) / 2;
      if (room_[middle].end <= address)
        from = middle + 1;
      else
        to = middle;
    }
    return from < used_ && room_[from].begin <= address ? &room_[from] : nullptr;
  }
  // Whether a plain load there cannot fault.
  bool may_load(const HeapRegion& region, uint64_t address, size_t size) const {
    return (region.young || old_stay) && address >= region.begin &&
           address + size <= region.readable.load(std::memory_order_relaxed);
  }
  // A guarded read was let through there.
  void was_read(uint64_t address) const {
    if (!young_grow) return;
    HeapRegion* region = find(address);
    if (region == nullptr || !region->young) return;
    const uint64_t page_end = (address | (kPage - 1)) + 1;
    if (page_end <= region->end && page_end > region->readable.load(std::memory_order_relaxed))
      region->readable.store(page_end, std::memory_order_relaxed);
  }

  // The same, and how far beyond it can be read, in steps: asked once for each region. count: how many of
  // these addresses, from the first on, can be read.
  template <typename Count>
  void look_ahead(uint64_t address, Count count) const {
    was_read(address);
    HeapRegion* region = find(address);
    if (!young_grow || region == nullptr || !region->young ||
        region->looked_ahead.exchange(true, std::memory_order_relaxed))
      return;
    uint64_t last[kMostSteps];
    size_t steps = 0;
    const uint64_t from = region->readable.load(std::memory_order_relaxed);
    for (uint64_t bytes = kFirstStep; steps + 1 < kMostSteps && from + bytes < region->end; bytes *= 4)
      last[steps++] = from + bytes - 1;
    last[steps++] = region->end - 1;
    const size_t readable = count(std::span<const uint64_t>(last, steps));
    if (readable != 0) region->readable.store(last[readable - 1] + 1, std::memory_order_relaxed);
  }

  void clear() { used_ = 0; }
  // In rising order of begin. False where there is no room.
  bool add(uint64_t begin, uint64_t readable, uint64_t end, bool young) {
    if (used_ == room_.size()) return false;
    HeapRegion& region = room_[used_++];
    region.begin = begin;
    region.end = end;
    region.young = young;
    region.readable.store(readable, std::memory_order_relaxed);
    region.looked_ahead.store(false, std::memory_order_relaxed);
    return true;
  }
  std::span<HeapRegion> all() const { return room_.first(used_); }

  static constexpr uint64_t kPage = 4096;

  uint64_t moment = 0;      // which, as its writer counts them
  bool old_stay = false;    // no collection in the background is under way
  bool young_grow = false;  // memory of the young is given back in collections only

 private:
  static constexpr size_t kMostSteps = 6;
  static constexpr uint64_t kFirstStep = 64 * 1024;

  std::span<HeapRegion> room_;
  size_t used_ = 0;
};

// What a reader of the heap knows of it. regions: null where nothing is.
struct HeapView {
  HeapRange range;
  const HeapRegions* regions = nullptr;
  bool open = true;  // false: nothing may be read, something moves
};

}  // namespace walkabout::unwind
