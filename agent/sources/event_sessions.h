// The sessions by which the runtime delivers its providers' events (EventPipe), one for each level, and which
// events are of which provider. start(), stop(): one thread. is_of_runtime(), is_private(): any thread, in
// EventPipeEventDelivered.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "clr/abi/info.h"

namespace walkabout::agent {

class EventSessions {
 public:
  // keywords: as RuntimeNeeds. private_keywords: of the runtime's private provider, beside the JIT's events;
  // where the runtime refuses them, the session is without. Returns a sentence for the recording, of what
  // cannot be had; empty: all can. info outlives the sessions.
  std::string start(clr::ICorProfilerInfo12* info, const std::map<uint32_t, uint64_t>& keywords,
                    uint64_t private_keywords = 0);
  void stop();
  bool is_of_runtime(clr::EVENTPIPE_PROVIDER provider, uint32_t event_id) {
    const clr::EVENTPIPE_PROVIDER known = provider_.load(std::memory_order_relaxed);
    return known != 0 ? provider == known : look_for_provider(provider, event_id);
  }
  // Whether it is the runtime's private provider.
  bool is_private(clr::EVENTPIPE_PROVIDER provider);

 private:
  bool look_for_provider(clr::EVENTPIPE_PROVIDER provider, uint32_t event_id);
  bool is_called(clr::EVENTPIPE_PROVIDER provider, std::u16string_view name);

  clr::ICorProfilerInfo12* info_ = nullptr;
  std::vector<clr::EVENTPIPE_SESSION> sessions_;
  std::atomic<clr::EVENTPIPE_PROVIDER> provider_{0}, private_{0};  // once an event of theirs has come
};

}  // namespace walkabout::agent
