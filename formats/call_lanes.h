// Slow calls put into lanes in which each lies within the one before it or behind it: what a time line draws,
// and formats of nested begins and ends can hold. Any thread, no state.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/model/traces.h"

namespace walkabout::formats {

struct CallLane {
  uint32_t thread = 0;          // of the Profile
  bool is_async = false;        // its calls were not all the time in that thread, where they began
  std::vector<uint32_t> calls;  // index into Traces::calls; callers before callees, by begin
};

// An async method's call that waited or ended elsewhere.
inline bool is_async(const profile::SlowCall& call) {
  return call.waiting_ns != 0 || call.ended_in != call.thread;
}

// By thread; in each the lane of what ran in it, then those of async methods.
std::vector<CallLane> call_lanes(const profile::Traces& traces);

// Behind its begin, also where they are beyond all bounds.
uint64_t end_of(const profile::SlowCall& call);

}  // namespace walkabout::formats
