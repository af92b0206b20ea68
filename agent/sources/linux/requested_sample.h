// Makes a sample of another thread from the stack that a StackRequest got. Thread rule: the agent's thread
// that owns the writer's slot.
#pragma once

#include <cstdint>
#include <span>

#include "agent/linux/handler/capture.h"
#include "agent/linux/stack_request.h"
#include "agent/sources/event_capture.h"

namespace walkabout::agent {

// An eighth of the ring is left to samples without a stack, so that each has its amounts: a busy machine may
// give the spooler no processor for a while.
inline bool has_room_for(const ThreadSlot& writer, std::span<const wire::Frame> frames) {
  const wire::LaneHeader& lane = writer.shared->lane(wire::Lane::kCallback);
  const uint64_t used = lane.head.load(std::memory_order_relaxed) - lane.tail.load(std::memory_order_relaxed);
  return (used + frames.size_bytes()) * 8 <= uint64_t{writer.shared->ring_size} * 7;
}

// at_ns: the moment of what it tells of. taken: of each thread, how many of these it has. Where the ring has
// no room for the stack, the sample has the amounts alone.
inline void capture_requested(ThreadSlot& writer, const Place& place, uint64_t at_ns,
                              const RequestedStack& stack, PerThread<uint32_t>& taken, const Event& event) {
  static constexpr wire::Frame kNotWalked = wire::Frame::not_walked();
  uint32_t& before = taken.of(place);
  Subject subject;
  subject.thread = place.thread;
  subject.samples = before;
  subject.frames = stack.frames;
  subject.end = stack.end;
  subject.flags = stack.flags;
  subject.time_ns = at_ns;
  if (subject.frames.empty() || !has_room_for(writer, subject.frames)) {
    subject.frames = {&kNotWalked, 1};
    subject.end = wire::WalkEnd::kNotWalked;
    subject.flags &= static_cast<uint8_t>(~static_cast<uint8_t>(wire::SampleFlag::kLeftOut));
  }
  if (!capture_about(writer, subject, event)) ++before;
}

}  // namespace walkabout::agent
