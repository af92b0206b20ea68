// The agent as it is, but that it takes nothing of the runtime's events but those of the compiler, which
// stacks need. So a program pays for the runtime's part of an event alone: what bench/events.py compares
// with.
#include "agent/entry/make_profiler.h"
#include "agent/linux/session/profiler.h"
#include "clr/events/eventpipe_method.h"

namespace walkabout::agent {
namespace {

class DeafProfiler : public Profiler {
 public:
  clr::HRESULT EventPipeEventDelivered(clr::EVENTPIPE_PROVIDER provider, uint32_t id, uint32_t version,
                                       uint32_t metadata_size, const uint8_t* metadata, uint32_t size,
                                       const uint8_t* data, const clr::GUID* activity,
                                       const clr::GUID* related, clr::ThreadID thread, uint32_t frames,
                                       uintptr_t* stack) override {
    if (id != clr::kMethodJittingStarted && id != clr::kMethodLoadVerbose && id != clr::kMethodUnloadVerbose)
      return clr::S_OK;
    return Profiler::EventPipeEventDelivered(provider, id, version, metadata_size, metadata, size, data,
                                             activity, related, thread, frames, stack);
  }
};

}  // namespace

clr::CallbackBase* make_profiler() { return new DeafProfiler; }

}  // namespace walkabout::agent
