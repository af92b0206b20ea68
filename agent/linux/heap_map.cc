#include "agent/linux/heap_map.h"

#include <algorithm>
#include <span>

#include "agent/linux/handler/self_memory.h"

namespace walkabout::agent {
namespace {

using clr::COR_PRF_GC_GENERATION_RANGE;
using unwind::HeapRegion;
using unwind::HeapRegions;

bool is_young(const COR_PRF_GC_GENERATION_RANGE& range) {
  return range.generation == clr::COR_PRF_GC_GEN_0 || range.generation == clr::COR_PRF_GC_GEN_1;
}

// What was in use before a collection, or else all of it: where that can be read now, all before it can.
uint64_t hoped_for(const HeapRegion& region, const HeapRegions& before) {
  const HeapRegion* same = before.find(region.begin);
  const bool known =
      before.young_grow && same != nullptr && same->begin == region.begin && same->end == region.end;
  return std::max(region.readable.load(std::memory_order_relaxed),
                  known ? same->readable.load(std::memory_order_relaxed) : region.end);
}

// Memory that is in use beyond the objects: threads get room for new ones there.
void extend_young(const HeapRegions& table, const HeapRegions& before) {
  constexpr size_t kAtOnce = 16;
  constexpr int kMostReads = 32;  // system calls
  const std::span<HeapRegion> all = table.all();
  size_t next = 0;
  for (int reads = 0; reads < kMostReads && next < all.size(); ++reads) {
    uint64_t last[kAtOnce];
    uint16_t which[kAtOnce];
    size_t count = 0;
    for (size_t i = next; i < all.size() && count < kAtOnce; ++i) {
      const uint64_t end = hoped_for(all[i], before);
      if (!all[i].young || end == all[i].readable.load(std::memory_order_relaxed)) continue;
      which[count] = static_cast<uint16_t>(i);
      last[count++] = end - 1;
    }
    if (count == 0) return;
    const size_t readable = count_readable({last, count});
    for (size_t i = 0; i < readable; ++i)
      all[which[i]].readable.store(last[i] + 1, std::memory_order_relaxed);
    next = which[std::min(readable, count - 1)] + size_t{1};  // the one that cannot be read is done with
  }
}

}  // namespace

void HeapMap::resumes() {
  tables_.run([this](HeapRegions& table, const HeapRegions& before) { return ask(table, before); });
}

void HeapMap::refresh() {
  tables_.refresh([this](HeapRegions& table, const HeapRegions& before) { return ask(table, before); });
}

bool HeapMap::ask(HeapRegions& table, const HeapRegions& before) {
  constexpr auto kMost = static_cast<uint32_t>(HeapTables::kMost);
  table.young_grow = one_heap_.load(std::memory_order_relaxed);
  table.old_stay = under_way_.load(std::memory_order_relaxed) == 0;
  uint32_t count = 0;
  if (clr::failed(info_->GetGenerationBounds(kMost, &count, &ranges_[0]))) return false;
  const std::span<COR_PRF_GC_GENERATION_RANGE> ranges(&ranges_[0], std::min(count, kMost));
  // No recursion: we are in a callback, on a stack of the program's.
  const auto less = [](const auto& a, const auto& b) { return a.rangeStart < b.rangeStart; };
  std::make_heap(ranges.begin(), ranges.end(), less);
  std::sort_heap(ranges.begin(), ranges.end(), less);
  for (size_t i = 0; i < ranges.size(); ++i) {
    const uint64_t begin = ranges[i].rangeStart;
    uint64_t end = begin + std::max(ranges[i].rangeLength, ranges[i].rangeLengthReserved);
    if (i + 1 < ranges.size()) end = std::min(end, uint64_t{ranges[i + 1].rangeStart});
    if (begin < end) table.add(begin, std::min(end, begin + ranges[i].rangeLength), end, is_young(ranges[i]));
  }
  if (table.young_grow) extend_young(table, before);
  return true;
}

}  // namespace walkabout::agent
