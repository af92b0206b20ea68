// The source "exceptions": every throw, with the stack that threw, the type and the message. In a storm all
// throws are counted by type and kind, and some of their stacks are walked; the others' messages are left
// out.
//
// On the thread that throws, before the runtime looks for a handler.
#pragma once

#include "agent/sources/event_source.h"

namespace walkabout::agent {

class ExceptionsSource final : public EventSource {
 public:
  ExceptionsSource() : EventSource(wire::source_id("exceptions"), kShare, kLabelsOfSums) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  void on_event(const RuntimeEvent& event) override;

 private:
  static constexpr uint32_t kShare = 40;
  // In a sum a throw keeps its first labels: messages can be as many as throws.
  static constexpr size_t kLabelsOfSums = 2;
};

}  // namespace walkabout::agent
