// The source "locks": how long threads waited for a lock that another one held (Monitor, Lock), with the
// stack that waited, which lock it was and which thread held it when the wait began. An uncontended lock
// raises no event. Of waits of 1 ms and more the owner has a sample too: its stack while it held the lock,
// whose value is how long it "held up" the other one (linux/lock_owner.h).
//
// On the thread that waited, when it has the lock.
#pragma once

#include "agent/sources/culprits.h"
#include "agent/sources/event_source.h"

namespace walkabout::agent {

class LocksSource final : public EventSource {
 public:
  LocksSource() : EventSource(wire::source_id("locks"), kShare) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override;
  void on_event(const RuntimeEvent& event) override;
  void on_suspension(Suspension what, clr::COR_PRF_SUSPEND_REASON reason) override;
  void on_thread_end() override;

 private:
  // What a thread waits for; began_ns: 0 where it does not.
  struct Wait {
    uint64_t began_ns, lock, owner;
  };
  static constexpr EventCapture::Share kShare{100, true};

  PerThread<Wait> waits_;
  OwnerSamples owners_;
};

}  // namespace walkabout::agent
