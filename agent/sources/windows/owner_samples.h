// What a lock's owner does while others wait for it is not recorded on Windows: its stack would be that of a
// thread that runs, which takes it itself on Linux, in a signal's handler. The label has who it was.
#pragma once

#include "agent/sources/event_capture.h"
#include "agent/sources/source.h"
#include "clr/events/waiting.h"

namespace walkabout::agent {

class OwnerSamples {
 public:
  void start(const SourceContext&) {}
  void stop() {}
  void begins(const Place&, const clr::ContentionStart&, uint64_t) {}
  void ends(const Place&, uint64_t) {}
  void on_thread_end() {}
  void on_suspension(Source::Suspension) {}
};

}  // namespace walkabout::agent
