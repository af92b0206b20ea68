// The sessions by which the runtime delivers its provider's events (EventPipe), one for each level, and which
// events are that provider's. start(), stop(): one thread. is_of_runtime(): any thread, in
// EventPipeEventDelivered.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "clr/abi/info.h"

namespace walkabout::agent {

class EventSessions {
 public:
  // keywords: as RuntimeNeeds. Returns what cannot be had, for the reader of the recording; empty: all can.
  // info outlives the sessions.
  std::string start(clr::ICorProfilerInfo12* info, const std::map<uint32_t, uint64_t>& keywords);
  void stop();
  bool is_of_runtime(clr::EVENTPIPE_PROVIDER provider, uint32_t event_id) {
    const clr::EVENTPIPE_PROVIDER known = provider_.load(std::memory_order_relaxed);
    return known != 0 ? provider == known : look_for_provider(provider, event_id);
  }

 private:
  bool look_for_provider(clr::EVENTPIPE_PROVIDER provider, uint32_t event_id);

  clr::ICorProfilerInfo12* info_ = nullptr;
  std::vector<clr::EVENTPIPE_SESSION> sessions_;
  std::atomic<clr::EVENTPIPE_PROVIDER> provider_{0};  // once an event of its has come
};

}  // namespace walkabout::agent
