// Takes the frames of a walk, leaf first, into a fixed buffer. A stack deeper than the buffer keeps its leaf
// half and its root end; one kLeftOut frame between them says how many are missing. No allocation,
// async-signal-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "wire/frame.h"

namespace walkabout::unwind {

class FrameSink {
 public:
  // capacity: at least 4.
  FrameSink(wire::Frame* frames, uint32_t capacity)
      : frames_(frames), capacity_(capacity), leaf_(capacity / 2) {}

  // From now on the stack pointers of the first frames are kept, too.
  void keep_stack_pointers(std::span<uint64_t> to) { stack_pointers_ = to; }
  // stack_pointer: of the frame, before it is left.
  void push(wire::Frame frame, uint64_t stack_pointer) {
    if (total_ < stack_pointers_.size()) stack_pointers_[total_] = stack_pointer;
    push(frame);
  }
  void push(wire::Frame frame) {
    if (total_ < capacity_) {
      frames_[total_] = frame;
    } else {
      frames_[leaf_ + (total_ - leaf_) % (capacity_ - leaf_)] = frame;
    }
    ++total_;
  }
  uint64_t total() const { return total_; }
  bool left_out() const { return total_ > capacity_; }

  // Puts the root end in order. Returns how many frames the buffer holds.
  uint32_t finish() { return left_out() ? put_in_order() : static_cast<uint32_t>(total_); }

 private:
  uint32_t put_in_order() {
    const uint32_t ring = capacity_ - leaf_;
    const auto oldest = static_cast<uint32_t>((total_ - leaf_) % ring);
    std::rotate(frames_ + leaf_, frames_ + leaf_ + oldest, frames_ + capacity_);
    frames_[leaf_] = wire::Frame::at_address(wire::FrameKind::kLeftOut, total_ - capacity_ + 1);
    return capacity_;
  }

  wire::Frame* frames_;
  uint32_t capacity_;
  uint32_t leaf_;
  uint64_t total_ = 0;
  std::span<uint64_t> stack_pointers_;
};

}  // namespace walkabout::unwind
