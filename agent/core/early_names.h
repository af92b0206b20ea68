// Names of threads that are not there yet: `new Thread(…) { Name = … }` has its name before it is started,
// and the runtime reports it (ThreadNameChanged) when the thread has no id of the system's; it does not
// report it again.
//
// Any thread, also the CLR's in its callbacks; takes its own lock, also while the table is given a
// name, never across a call of the CLR.
#pragma once

#include <sys/types.h>

#include <string>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

class EarlyNames {
 public:
  // The runtime reports a name (ThreadNameChanged): the thread's at once if `threads` has it, else once it
  // began.
  template <class ThreadTable>
  void name_changed(clr::ICorProfilerInfo12* info, clr::ThreadID thread, std::string name,
                    ThreadTable& threads) {
    const bool kept = keep(thread, name);  // first: it may begin in this moment
    uint32_t os_thread = 0;
    if (clr::failed(info->GetThreadInfo(thread, &os_thread)) || os_thread == 0) return;
    const base::Lock lock(mutex_);
    const auto latest = names_.find(thread);
    if (latest != names_.end()) name = latest->second;
    if (kept && latest == names_.end()) return;  // it began, or a later name was reported, and has it
    if (threads.set_managed_name(static_cast<pid_t>(os_thread), name)) names_.erase(thread);
  }
  // `threads` has it now.
  template <class ThreadTable>
  void began(clr::ThreadID thread, pid_t tid, ThreadTable& threads) {
    const base::Lock lock(mutex_);  // the later name is the one that stays
    const auto node = names_.extract(thread);
    if (!node.empty()) threads.set_managed_name(tid, node.mapped());
  }
  // False if there are too many.
  bool keep(clr::ThreadID thread, std::string name) {
    const base::Lock lock(mutex_);
    if (names_.size() >= kMost && names_.count(thread) == 0) return false;
    names_[thread] = std::move(name);
    return true;
  }
  // Empty if it has none. Forgets it.
  std::string take(clr::ThreadID thread) {
    const base::Lock lock(mutex_);
    const auto node = names_.extract(thread);
    return node.empty() ? std::string() : std::move(node.mapped());
  }

 private:
  static constexpr size_t kMost = 4096;  // of threads that are never started nobody reports the end
  base::Mutex mutex_;
  std::unordered_map<clr::ThreadID, std::string> names_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::agent
