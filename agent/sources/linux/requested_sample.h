// Makes a sample of another thread from the stack that a StackRequest got. Thread rule: the agent's thread
// that owns the writer's slot.
#pragma once

#include <cstdint>

#include "agent/linux/handler/capture.h"
#include "agent/linux/stack_request.h"
#include "agent/sources/event_capture.h"

namespace walkabout::agent {

// at_ns: the moment of what it tells of. taken: of each thread, how many of these it has. Where the ring has
// no room for the stack, as on a machine that is busy with other things, the amounts are kept without it.
inline void capture_requested(ThreadSlot& writer, const Place& place, uint64_t at_ns,
                              const RequestedStack& stack, PerThread<uint32_t>& taken, const Event& event) {
  static constexpr wire::Frame kNotWalked = wire::Frame::not_walked();
  uint32_t& before = taken.of(place);
  Subject subject;
  subject.thread = place.thread;
  subject.samples = before;
  subject.frames = stack.frames.empty() ? std::span<const wire::Frame>(&kNotWalked, 1) : stack.frames;
  subject.end = stack.end;
  subject.flags = stack.flags;
  subject.time_ns = at_ns;
  Dropped no_room = capture_about(writer, subject, {event.source, event.values, event.labels, true});
  if (no_room) {
    subject.frames = {&kNotWalked, 1};
    subject.end = wire::WalkEnd::kNotWalked;
    subject.flags &= static_cast<uint8_t>(~static_cast<uint8_t>(wire::SampleFlag::kLeftOut));
    no_room = capture_about(writer, subject, event);
  }
  if (!no_room) ++before;
}

}  // namespace walkabout::agent
