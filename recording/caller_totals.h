// What the records of counted calls' callers (wire::CallerCounts) add up to. Feed it each. One thread.
// Hostile records: an index that no agent has is left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "wire/counter_blocks.h"
#include "wire/records.h"

namespace walkabout::recording {

class CallerTotals {
 public:
  using Key = std::pair<uint32_t, wire::Frame>;  // the method's index, and where it was called

  void add(const wire::CallerCounts& r) {
    asked_ = true;
    for (size_t i = 0; i < std::min({r.index.size(), r.caller.size(), r.calls.size()}); ++i) {
      if (r.index[i] < wire::kMostCountedMethods)
        calls_[{static_cast<uint32_t>(r.index[i]), r.caller[i]}] += r.calls[i];
    }
    no_room_ += r.no_room;
    not_found_ += r.not_found;
  }

  // The agent was asked for them.
  bool asked() const { return asked_; }
  const std::map<Key, uint64_t>& calls() const { return calls_; }
  uint64_t no_room() const { return no_room_; }
  uint64_t not_found() const { return not_found_; }

 private:
  std::map<Key, uint64_t> calls_;
  uint64_t no_room_ = 0, not_found_ = 0;
  bool asked_ = false;
};

}  // namespace walkabout::recording
