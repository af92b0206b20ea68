// Threads whose end was emitted lately. Samples of them may still come, from a thread of the agent's that had
// looked at them before. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>

#include "base/ids.h"
#include "wire/records.h"

namespace walkabout::agent {

class GoneThreads {
 public:
  void add(uint64_t ended_ns, wire::Thread record) {
    const base::ThreadId thread = record.id;
    order_.emplace_back(ended_ns, thread);
    gone_[thread] = {std::move(record), true};
  }
  void erase_ended_before(uint64_t ns) {
    for (; !order_.empty() && order_.front().first < ns; order_.pop_front())
      gone_.erase(order_.front().second);
  }
  bool has(base::ThreadId thread) const { return gone_.count(thread) != 0; }
  // What a recording has to have before samples of the thread; null where it has that. Times are of the
  // recording before.
  const wire::Thread* to_emit(base::ThreadId thread) {
    const auto at = gone_.find(thread);
    return at == gone_.end() || std::exchange(at->second.emitted, true) ? nullptr : &at->second.record;
  }
  // The next recording has none of them.
  void begin_recording() {
    for (auto& [id, gone] : gone_) gone.emitted = false;
  }

 private:
  struct Gone {
    wire::Thread record;
    bool emitted = true;
  };
  std::unordered_map<base::ThreadId, Gone> gone_;
  std::deque<std::pair<uint64_t, base::ThreadId>> order_;
};

}  // namespace walkabout::agent
