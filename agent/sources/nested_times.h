// What a thread began and has not ended, one within the other: each with the time that was its own, without
// what began within it. Compiling a method can load a type, whose constructor is compiled first. One thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace walkabout::agent {

class NestedTimes {
 public:
  struct Ended {
    uint64_t own_ns = 0;
    uint32_t note = 0;
  };
  // note: what the end is to be told. A load or a compile that fails has no end: where there are too many
  // open ones, the outermost is forgotten.
  void begin(uint64_t id, uint64_t now_ns, uint32_t note = 0) {
    if (depth_ == open_.size()) {
      std::copy(open_.begin() + 1, open_.end(), open_.begin());
      --depth_;
    }
    open_[depth_++] = {id, now_ns, 0, note};
  }
  // None where it did not begin here. What began within it and has no end has failed.
  std::optional<Ended> end(uint64_t id, uint64_t now_ns) {
    for (size_t i = depth_; i-- > 0;) {
      if (open_[i].id != id) continue;
      const uint64_t all_ns = now_ns - open_[i].began_ns;
      depth_ = i;
      if (i > 0) open_[i - 1].others_ns += all_ns;
      return Ended{all_ns > open_[i].others_ns ? all_ns - open_[i].others_ns : 0, open_[i].note};
    }
    return {};
  }
  // Another thread has its place.
  void clear() { depth_ = 0; }

 private:
  struct Open {
    uint64_t id, began_ns, others_ns;
    uint32_t note;
  };
  std::array<Open, 16> open_;
  size_t depth_;
};

}  // namespace walkabout::agent
