// The source "waits": how long threads waited on handles, semaphores, tasks and conditions, with the stack
// that waited. From .NET 9 on. A wait that ends before the runtime has to stop the thread raises no event.
//
// On the thread that waited, when it goes on.
#pragma once

#include "agent/shared/pages.h"
#include "agent/sources/event_capture.h"
#include "agent/sources/source.h"

namespace walkabout::agent {

class WaitsSource final : public Source {
 public:
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override { capture_.end(); }
  void on_event(const RuntimeEvent& event) override;

 private:
  struct Wait {
    uint64_t began_ns;  // 0: it does not wait
    bool monitor;
  };
  static constexpr uint32_t kShare = 40;
  EventCapture capture_{wire::source_id("waits"), kShare};
  PerThread<Wait> waits_;
  TextTable* texts_ = nullptr;
};

}  // namespace walkabout::agent
