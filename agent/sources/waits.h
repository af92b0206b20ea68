// The source "waits": how long threads waited on handles, semaphores, tasks and conditions, with the stack
// that waited. From .NET 9 on. A wait that ends before the runtime has to stop the thread raises no event.
//
// On the thread that waited, when it goes on.
#pragma once

#include "agent/sources/event_source.h"

namespace walkabout::agent {

class WaitsSource final : public EventSource {
 public:
  WaitsSource() : EventSource(wire::source_id("waits"), kShare) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void on_event(const RuntimeEvent& event) override;

 private:
  struct Wait {
    uint64_t began_ns;  // 0: it does not wait
    bool monitor;
  };
  static constexpr EventCapture::Share kShare{100, true};
  PerThread<Wait> waits_;
};

}  // namespace walkabout::agent
