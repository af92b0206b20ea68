// The memory that threads keep their figures in: bounded for all of them together, reserved once and there as
// long as the process lives. It is given out in units, each to one thread, which keeps it until it ends or
// meets the next recording: nobody ever writes into what has become another's. What lies in it is named by
// its place, in kTraceGrain bytes; 0: nothing, and what lies there is nobody's.
#pragma once

#include <cstdint>

#include "agent/trace/free_list.h"

namespace walkabout::agent {

inline constexpr uint32_t kTraceGrain = 16, kTraceUnit = 32 << 10;

class TraceMemory {
 public:
  // False: there is none. Again: nothing. One thread.
  bool reserve();
  // Zeroes, and the one that it is linked to. 0: all are taken. From a probe.
  uint32_t take_unit(uint32_t link);
  // Also all that it leads to.
  void give_back_units(uint32_t place);
  // What is in it takes no memory any more (drop_trace_pages()).
  void drop();

  template <typename T>
  T* at(uint32_t place) const {
    return reinterpret_cast<T*>(base_ + uint64_t{place} * kTraceGrain);
  }

 private:
  static constexpr uint32_t kUnitPlaces = kTraceUnit / kTraceGrain;
  uint8_t* base_ = nullptr;
  uint64_t bytes_ = 0;
  FreeList free_;
};

}  // namespace walkabout::agent
