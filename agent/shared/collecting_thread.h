// The thread that collects garbage now: the one that stopped the others for a collection, until they may go
// on. Who lets them go on may be another thread: a collection in the background is begun by a thread of the
// program, which from then on has nothing to do with it. The collector's own threads are known by their names
// (profile/build/builder.cc).
// begins and ends: the runtime's suspensions follow one another under its thread store's lock, which is held
// from before a suspension is reported until after its end begins to be reported. is: any thread, also a
// handler.
#pragma once

#include <sys/types.h>

#include <atomic>

#include "clr/abi/enums.h"

namespace walkabout::agent {

class CollectingThread {
 public:
  // From RuntimeSuspendStarted. Suspensions for other reasons are no collection's.
  void suspends(clr::COR_PRF_SUSPEND_REASON reason, pid_t tid) {
    const bool collects = reason == clr::COR_PRF_SUSPEND_FOR_GC || reason == clr::COR_PRF_SUSPEND_FOR_GC_PREP;
    tid_.store(collects ? tid : 0, std::memory_order_relaxed);
  }
  // From RuntimeResumeStarted.
  void resumes() { tid_.store(0, std::memory_order_relaxed); }

  bool is(pid_t tid) const { return tid_.load(std::memory_order_relaxed) == tid; }

 private:
  std::atomic<pid_t> tid_{0};
};

}  // namespace walkabout::agent
