// What the records of calls that were counted (wire/call_records.h) add up to. Feed it each. One thread.
// Hostile records: an index that no agent has is left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "wire/counter_blocks.h"
#include "wire/records.h"

namespace walkabout::recording {

class CallTotals {
 public:
  void add(const wire::CountedMethod& r) {
    if (r.index >= wire::kMostCountedMethods) return;
    make_room(r.index);
    methods_[r.index] = r;
  }
  void add(const wire::CallCounts& r) {
    for (size_t i = 0; i < std::min(r.index.size(), r.calls.size()); ++i) {
      if (r.index[i] >= wire::kMostCountedMethods) continue;
      make_room(r.index[i]);
      calls_[r.index[i]] += r.calls[i];
    }
  }
  void add(const wire::CallPattern& r) { patterns_[r.number] = r; }
  void add(const wire::CallState& r) { state_ = r; }

  // The agent was asked to count.
  bool asked() const { return !patterns_.empty(); }
  // By index, both as many. A method that was not declared has no names.
  const std::vector<wire::CountedMethod>& methods() const { return methods_; }
  const std::vector<uint64_t>& calls() const { return calls_; }
  const std::map<uint32_t, wire::CallPattern>& patterns() const { return patterns_; }
  const wire::CallState& state() const { return state_; }

 private:
  void make_room(uint64_t index) {
    while (methods_.size() <= index) {
      methods_.emplace_back();
      methods_.back().index = static_cast<uint32_t>(methods_.size() - 1);
    }
    calls_.resize(methods_.size());
  }

  std::vector<wire::CountedMethod> methods_;
  std::vector<uint64_t> calls_;
  std::map<uint32_t, wire::CallPattern> patterns_;
  wire::CallState state_;
};

}  // namespace walkabout::recording
