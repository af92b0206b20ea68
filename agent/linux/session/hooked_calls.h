// What a recording of every managed call has beside the others (`trace --all`): the hooks, and what is traced
// with them. Stays as long as the process: the runtime asks the hooks.
//
// Made and set while the profiler is initialized; begin() when the recording is prepared; emit(): the
// spooler; stop(): who ends the recording.
#pragma once

#include <string>

#include "agent/hooks/method_hooks.h"
#include "agent/linux/session/traced_calls.h"
#include "agent/shared/options.h"
#include "base/mutex.h"

namespace walkabout::agent {

class HookedCalls {
 public:
  HookedCalls(clr::ICorProfilerInfo12* info, const Options& options)
      : info_(info), hooks_(info, options.trace) {}
  HookedCalls(const HookedCalls&) = delete;
  HookedCalls& operator=(const HookedCalls&) = delete;

  Hooks& hooks() { return hooks_; }
  // traced: until stop().
  base::Status begin(const Options& options, uint64_t monotonic_start_ns, TracedCalls& traced);
  void emit(uint64_t time_us, std::string* records);
  // Nothing is traced any more; the last records are emitted next.
  void stop();

 private:
  clr::ICorProfilerInfo12* const info_;
  Hooks hooks_;
  uint64_t start_ns_ = 0;  // of the recording
  base::Mutex emitting_;
  CallTracing* tracing_ WALKABOUT_GUARDED_BY(emitting_) = nullptr;
  std::string last_ WALKABOUT_GUARDED_BY(emitting_);  // records of the end
};

}  // namespace walkabout::agent
