// What the sources of the runtime's events have in common: their captures, the texts of their labels, and
// what they declare. Threads as EventCapture.
#pragma once

#include <limits>
#include <utility>
#include <vector>

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

  EventCapture capture_;
  TextTable* texts_ = nullptr;
};

}  // namespace walkabout::agent
