// Names of threads that are not there yet: `new Thread(…) { Name = … }` has its name before it is started,
// and the runtime tells it (ThreadNameChanged) when the thread has no id of the system's; it does not tell it
// again.
//
// Any thread, also the CLR's in its callbacks; takes its own lock, calls nobody.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "clr/types.h"

namespace walkabout::agent {

class EarlyNames {
 public:
  void keep(clr::ThreadID thread, std::string name) {
    const std::lock_guard lock(mutex_);
    if (names_.size() < kMost || names_.count(thread) != 0) names_[thread] = std::move(name);
  }
  // Empty if it has none. Forgets it.
  std::string take(clr::ThreadID thread) {
    const std::lock_guard lock(mutex_);
    const auto node = names_.extract(thread);
    return node.empty() ? std::string() : std::move(node.mapped());
  }

 private:
  static constexpr size_t kMost = 4096;  // of threads that are never started nobody tells the end
  std::mutex mutex_;
  std::unordered_map<clr::ThreadID, std::string> names_;
};

}  // namespace walkabout::agent
