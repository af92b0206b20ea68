// What the sources of the runtime's events have in common: their captures, the texts of their labels, and
// what they declare. Threads as EventCapture.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "agent/linux/handler/capture.h"
#include "agent/linux/stack_request.h"
#include "agent/sources/event_capture.h"
#include "agent/sources/source.h"
#include "wire/sources.h"

namespace walkabout::agent {

class EventSource : public Source {
 public:
  base::Status start(const SourceContext& context) override {
    texts_ = &context.texts;
    capture_.begin(context);
    return {};
  }
  void stop() override { capture_.end(); }

 protected:
  // As EventCapture.
  EventSource(base::SourceId id, EventCapture::Share share, size_t labels_of_sums = EventCapture::kAllLabels,
              uint32_t largest = 0)
      : capture_(id, share, labels_of_sums, largest) {}

  // Of values: name and unit. Of labels: name and type.
  using Values = std::vector<std::pair<const char*, const char*>>;
  using Labels = std::vector<std::pair<const char*, wire::LabelType>>;
  // largest: behind the values that add up, those of which the largest counts.
  static wire::Source declared(const Values& values, const Labels& labels, const Values& largest = {}) {
    wire::Source source;
    source.clock = static_cast<uint32_t>(wire::Clock::kEvent);
    for (const auto& [name, unit] : values) source.values.push_back({name, unit, wire::Adding::kSum});
    for (const auto& [name, unit] : largest) source.values.push_back({name, unit, wire::Adding::kMax});
    for (const auto& [name, type] : labels) source.labels.push_back({name, static_cast<uint32_t>(type)});
    return source;
  }

  // A sample of another thread, whose stack was asked for, on the thread of the agent's that has the writer's
  // slot. at_ns: the moment of what it tells of. taken: of each thread, how many of these it has.
  static void capture_requested(ThreadSlot& writer, const Place& place, uint64_t at_ns,
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
    if (!capture_about(writer, subject, event)) ++before;
  }

  EventCapture capture_;
  TextTable* texts_ = nullptr;
};

}  // namespace walkabout::agent
