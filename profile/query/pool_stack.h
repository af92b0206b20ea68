// What a stack says about the thread pool: whose work it is, and what blocks it. By the names of methods of
// System.Private.CoreLib, as .NET 8, 9 and 10 have them. Any thread, no state.
#pragma once

#include <cstdint>
#include <string_view>

#include "profile/model/profile.h"
#include "profile/query/blocked.h"

namespace walkabout::profile {

// How a worker is blocked, by the method that waits.
enum class PoolCall : uint8_t {
  kTask = 0,  // on a task: sync over async
  kLock,      // Monitor.Enter, Lock.Enter, a reader-writer lock
  kMonitorWait,
  kSemaphore,  // SemaphoreSlim
  kHandle,     // an event, a mutex, a countdown, a barrier
  kSleep,
  kJoin,
  kNetwork,
  kFile,  // of System.IO: files, pipes
  kProcess,
  kOther,   // another method of the framework
  kNative,  // the runtime, or native code that the user's method calls; on .NET 8 and 9 also where a lock
            // waits
};
inline constexpr size_t kPoolCalls = 12;

// "sync over async", "lock", …
const char* to_string(PoolCall call);

// The pool's worker runs work items in this method, and no other thread is ever in it.
inline bool takes_pools_work(std::string_view method) {
  return method.starts_with("System.Threading.ThreadPoolWorkQueue.Dispatch(");
}
// A worker is in this method all its life, and no other thread ever is.
inline bool is_pools_worker(std::string_view method) {
  return method.starts_with("System.Threading.PortableThreadPool.WorkerThread.WorkerThreadStart(");
}
inline bool waits_for_task(std::string_view method) {
  return method.starts_with("System.Threading.Tasks.Task.InternalWait") ||
         method.starts_with("System.Threading.Tasks.Task.SpinThenBlockingWait(") ||
         method.starts_with("System.Threading.Tasks.Task.WaitA");
}

struct PoolStack {
  enum class Of : uint8_t {
    kOthers,  // no thread of the pool, or the stack does not say so
    kIdle,    // a worker without work
    kWork,    // a worker within a work item
  };
  Of of = Of::kOthers;
  // Of kWork:
  PoolCall call = PoolCall::kOther;
  uint32_t method = kNoFrame;  // of the framework, that the user's code called; kNoFrame: none is below it
  // The innermost managed method that is not of System.* or Microsoft.*; kNoFrame: the work item has none.
  uint32_t caller = kNoFrame;
};

// node: where the thread stood.
PoolStack pool_stack(const Profile& profile, uint32_t node);

}  // namespace walkabout::profile
