#include "agent/trace/trace_memory.h"

#include "agent/trace/trace_pages.h"

namespace walkabout::agent {

bool TraceMemory::reserve() {
  if (base_ != nullptr) return true;
  const uint64_t bytes = most_trace_bytes();
  const auto units = static_cast<uint32_t>(bytes / kTraceUnit);
  auto* next = static_cast<std::atomic<uint32_t>*>(reserve_trace_pages(units * sizeof(uint32_t)));
  if (next == nullptr) return false;
  base_ = static_cast<uint8_t*>(reserve_trace_pages(bytes));
  if (base_ == nullptr) {
    free_trace_pages(next, units * sizeof(uint32_t));
    return false;
  }
  bytes_ = bytes;
  free_.init(next, units - 1);  // the first one is nobody's
  return true;
}

uint32_t TraceMemory::take_unit(uint32_t link) {
  const uint32_t unit = free_.take();
  if (unit != 0) free_.set_link(unit, link / kUnitPlaces);
  return unit * kUnitPlaces;
}

void TraceMemory::give_back_units(uint32_t place) {
  for (uint32_t unit = place / kUnitPlaces; unit != 0;) {
    const uint32_t next = free_.link(unit);
    clear_trace_pages(at<uint8_t>(unit * kUnitPlaces), kTraceUnit);
    free_.give_back(unit);
    unit = next;
  }
}

void TraceMemory::drop() {
  if (base_ != nullptr) drop_trace_pages(base_, bytes_);
}

}  // namespace walkabout::agent
