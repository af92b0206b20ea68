// The source "locks": how long threads waited for a lock that another one held (Monitor, Lock), with the
// stack that waited, which lock it was and which thread held it when the wait began. An uncontended lock
// raises no event.
//
// On the thread that waited, when it has the lock.
#pragma once

#include "agent/sources/event_source.h"

namespace walkabout::agent {

class LocksSource final : public EventSource {
 public:
  LocksSource() : EventSource(wire::source_id("locks"), kShare) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  void on_event(const RuntimeEvent& event) override;

 private:
  // What a thread waits for; began_ns: 0 where it does not.
  struct Wait {
    uint64_t began_ns, lock, owner;
  };
  static constexpr uint32_t kShare = 40;
  PerThread<Wait> waits_;
};

}  // namespace walkabout::agent
