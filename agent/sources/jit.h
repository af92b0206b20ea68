// The source "jit": each method that is compiled, with the time that took and the stack that needed it: the
// first caller's, or that of the thread that compiles in the background.
//
// On the thread that compiles, when it is done.
#pragma once

#include "agent/sources/event_source.h"
#include "agent/sources/nested_times.h"

namespace walkabout::agent {

class JitSource final : public EventSource {
 public:
  JitSource() : EventSource(wire::source_id("jit"), kShare, kLabelsOfSums) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  void on_event(const RuntimeEvent& event) override;

 private:
  void begins(const RuntimeEvent& event, NestedTimes& compiles);
  void ends(const RuntimeEvent& event, NestedTimes& compiles);
  static constexpr uint32_t kShare = 10;
  // In a sum a method is one of its tier.
  static constexpr size_t kLabelsOfSums = 1;
  PerThread<NestedTimes> compiles_;
};

}  // namespace walkabout::agent
