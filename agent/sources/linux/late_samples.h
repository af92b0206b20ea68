// The source "gc" learns here which thread came last in a suspension, and where that took 1 ms and more this
// makes a sample of the thread's stack. Thread rule: that of LateThread.
#pragma once

#include <sys/types.h>

#include "agent/sources/event_capture.h"
#include "agent/sources/linux/late_thread.h"
#include "agent/sources/source.h"

namespace walkabout::agent {

class LateSamples {
 public:
  // Where it cannot be had the recording says so.
  void start(const SourceContext& context);
  void stop() { late_.stop(); }
  void on_suspension(Source::Suspension what, clr::COR_PRF_SUSPEND_REASON reason);
  void on_thread_stopped(clr::ThreadID thread, const EventCapture& capture);
  // As LateThread::last_tid().
  pid_t last_tid() const { return late_.last_tid(); }

 private:
  LateThread late_;
  PerThread<uint32_t> samples_;  // of a thread that came last; the agent's thread's
};

}  // namespace walkabout::agent
