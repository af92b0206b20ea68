// The source "loads": assemblies, modules and types as the runtime loads them, with the stack that needed
// them, and of types the time that took.
//
// On the thread that loads, when it is done.
#pragma once

#include "agent/sources/event_source.h"
#include "agent/sources/nested_times.h"
#include "clr/events/eventpipe_method.h"

namespace walkabout::agent {

class LoadsSource final : public EventSource {
 public:
  LoadsSource() : EventSource(wire::source_id("loads"), kShare) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override {
    EventSource::stop();
    types_capture_.end();
  }
  void on_event(const RuntimeEvent& event) override;

 private:
  void rare_loaded(std::u16string_view what, const clr::EventString& name);
  void type_event(const RuntimeEvent& event);

  // A program that begins loads thousands of types: they have captures of their own. In a sum a type has no
  // name.
  static constexpr uint32_t kShare = 10;
  static constexpr EventCapture::Share kTypesShare{50, true};
  static constexpr size_t kLabelsOfSums = 1;
  EventCapture types_capture_{wire::source_id("loads"), kTypesShare, kLabelsOfSums};
  PerThread<NestedTimes> types_;
};

}  // namespace walkabout::agent
