// The source "jit": each method that is compiled, with the time that took and the stack that needed it: the
// first caller's, or that of the thread that compiles in the background.
//
// On the thread that compiles, when it is done.
#pragma once

#include "agent/shared/pages.h"
#include "agent/sources/event_capture.h"
#include "agent/sources/nested_times.h"
#include "agent/sources/source.h"

namespace walkabout::agent {

class JitSource final : public Source {
 public:
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override { capture_.end(); }
  void on_event(const RuntimeEvent& event) override;

 private:
  static constexpr uint32_t kShare = 10;
  // In a sum a method is one of its tier.
  static constexpr size_t kLabelsOfSums = 1;
  EventCapture capture_{wire::source_id("jit"), kShare, kLabelsOfSums};
  PerThread<NestedTimes> compiles_;
  TextTable* texts_ = nullptr;
};

}  // namespace walkabout::agent
