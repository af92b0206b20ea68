// Who came last in a suspension is not recorded on Windows: its stack would be that of a thread that runs,
// which takes it itself on Linux, in a signal's handler.
#pragma once

#include <sys/types.h>

#include "agent/sources/event_capture.h"
#include "agent/sources/source.h"

namespace walkabout::agent {

class LateSamples {
 public:
  void start(const SourceContext&) {}
  void stop() {}
  void on_suspension(Source::Suspension, clr::COR_PRF_SUSPEND_REASON) {}
  void on_thread_stopped(clr::ThreadID, const EventCapture&) {}
  pid_t last_tid() const { return 0; }
};

}  // namespace walkabout::agent
