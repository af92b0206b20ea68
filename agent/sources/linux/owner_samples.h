// The samples of a lock's owner that the source "locks" takes, for waits of 1 ms and more. Thread rule: that
// of LockOwners.
#pragma once

#include "agent/sources/event_capture.h"
#include "agent/sources/linux/lock_owner.h"
#include "agent/sources/source.h"
#include "clr/events/waiting.h"

namespace walkabout::agent {

class OwnerSamples {
 public:
  // Where they cannot be had the recording says so.
  void start(const SourceContext& context);
  void stop() { owners_.stop(); }
  void begins(const Place& place, const clr::ContentionStart& start, uint64_t now_ns) {
    owners_.begins(place, start, now_ns);
  }
  void ends(const Place& place, uint64_t now_ns) { owners_.ends(place, now_ns); }
  // The calling thread ends.
  void on_thread_end();
  void on_suspension(Source::Suspension what);

 private:
  LockOwners owners_;
  PerThread<uint32_t> samples_;  // of an owner; the agent's thread's
};

}  // namespace walkabout::agent
