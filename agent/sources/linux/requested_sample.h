// Makes a sample of another thread from the stack that a StackRequest got. Thread rule: the agent's thread
// that owns the writer's slot.
#pragma once

#include <cstdint>
#include <span>

#include "agent/linux/handler/capture.h"
#include "agent/linux/stack_request.h"
#include "agent/sources/event_capture.h"

namespace walkabout::agent {

inline uint64_t used_of_ring(const ThreadSlot& writer) {
  return writer.shared->lane(wire::Lane::kCallback).used();
}

// An eighth of the ring is left to samples without a stack, so that each has its amounts: a busy machine may
// give the spooler no processor for a while.
inline bool has_room_for(const ThreadSlot& writer, std::span<const wire::Frame> frames) {
  return (used_of_ring(writer) + frames.size_bytes()) * 8 <= uint64_t{writer.shared->ring_size} * 7;
}

// For a sample without a stack.
inline bool has_room_for_amounts(const ThreadSlot& writer) {
  constexpr uint64_t kMostBytes = sizeof(wire::RawSample) + 32 * sizeof(uint64_t);
  return used_of_ring(writer) + 2 * kMostBytes <= writer.shared->ring_size;  // one may end at the ring's end
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
  subject.awaiters = &stack.awaiters;
  if (subject.frames.empty() || !has_room_for(writer, subject.frames)) {
    subject.frames = {&kNotWalked, 1};
    subject.end = wire::WalkEnd::kNotWalked;
    subject.awaiters = nullptr;
    subject.flags &= static_cast<uint8_t>(~static_cast<uint8_t>(wire::SampleFlag::kLeftOut));
  }
  if (!capture_about(writer, subject, event)) ++before;
}

}  // namespace walkabout::agent
