// What the runtime says of frames that exceptions leave, of one thread. It says when it begins to unwind a
// method's frame, and later, without the method, that it has done so. In between run the method's finally
// bodies, in which other exceptions may be thrown and caught; one that gets out of such a body takes the
// place of the first, of whose frame the end is not said then. The frame of the method that catches is
// unwound up to the handler and goes on.
//
// A filter runs on top of all frames, also those that are to be left later. Of what it throws .NET 8 says
// that a frame of its method is unwound, too: that of the filter's body, which is none of the method's calls.
//
// Each is kept with the depth of the shadow stack: what is deeper than the stack is now has been left behind.
// Source: ICorProfilerCallback's documentation; measured on .NET 8, 9 and 10. Thread rule: its thread. No
// allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace walkabout::agent {

class UnwoundFrames {
 public:
  static constexpr uint32_t kUnknownMethod = ~0u;  // one that is not hooked
  static constexpr size_t kMost = 16;

  // depth: frames of the shadow stack. ExceptionUnwindFunctionEnter.
  void begins(uint32_t method, uint32_t depth) {
    drop_deeper(depth);
    add(depth, is_filters(depth) ? kUnknownMethod : method);
  }
  // ExceptionUnwindFunctionLeave: the method whose frame is gone.
  uint32_t ends(uint32_t depth) {
    drop_deeper(depth);
    return count_ == 0 ? kUnknownMethod : frames_[--count_].method;
  }
  // ExceptionCatcherEnter: the frame stays.
  void is_caught_by(uint32_t method, uint32_t depth) {
    drop_deeper(depth);
    for (size_t i = count_; i-- > 0;) {
      if (!frames_[i].is(method, depth)) continue;
      count_ = i;
      return;
    }
  }
  // ExceptionSearchFilterEnter, ExceptionSearchFilterLeave.
  void filter_begins(uint32_t depth) {
    drop_deeper(depth);
    add(depth, kFilter);
  }
  void filter_ends() {
    for (size_t i = count_; i-- > 0;) {
      if (frames_[i].method != kFilter) continue;
      count_ = static_cast<uint32_t>(i);
      return;
    }
  }
  size_t count() const { return count_; }

 private:
  struct Frame {
    uint32_t depth;
    uint32_t method;
    bool is(uint32_t other, uint32_t at) const { return method == other && depth == at; }
  };
  static constexpr uint32_t kFilter = kUnknownMethod - 1;

  void add(uint32_t depth, uint32_t method) {
    if (count_ == kMost) {
      for (size_t i = 1; i < kMost; ++i) frames_[i - 1] = frames_[i];
      --count_;
    }
    frames_[count_++] = {depth, method};
  }
  // Whether what is unwound at this depth is the body of the filter that runs.
  bool is_filters(uint32_t depth) const {
    for (size_t i = count_; i-- > 0;) {
      if (frames_[i].method == kFilter) return frames_[i].depth == depth;
    }
    return false;
  }
  void drop_deeper(uint32_t depth) {
    while (count_ > 0 && frames_[count_ - 1].depth > depth) --count_;
  }

  std::array<Frame, kMost> frames_{};
  uint32_t count_ = 0;
};

}  // namespace walkabout::agent
