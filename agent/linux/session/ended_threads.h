// The runtime's threads that ended while an attach goes on: it was given a list of threads, and by the time
// that it notes which of its own they are, some are gone, and their objects with them. Any thread.
#pragma once

#include <algorithm>
#include <vector>

#include "base/mutex.h"
#include "clr/abi/types.h"

namespace walkabout::agent {

class EndedThreads {
 public:
  // Before the list is made.
  void begin() {
    const base::Lock lock(mutex_);
    keeps_ = true;
  }
  // Before its object goes away.
  void ended(clr::ThreadID thread) {
    const base::Lock lock(mutex_);
    if (keeps_) ended_.push_back(thread);
  }
  // It is a new one's.
  void began(clr::ThreadID thread) {
    const base::Lock lock(mutex_);
    std::erase(ended_, thread);
  }
  // If it has not ended; nor does it end meanwhile.
  template <typename Note>
  void unless_ended(clr::ThreadID thread, Note note) {
    const base::Lock lock(mutex_);
    if (std::find(ended_.begin(), ended_.end(), thread) == ended_.end()) note();
  }
  // When the list's threads are noted.
  void end() {
    const base::Lock lock(mutex_);
    keeps_ = false;
    ended_ = {};
  }

 private:
  base::Mutex mutex_;
  bool keeps_ WALKABOUT_GUARDED_BY(mutex_) = false;
  std::vector<clr::ThreadID> ended_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::agent
