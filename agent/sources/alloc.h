// The source "alloc": sampled allocations of objects, with the stack that allocated, the type and the heap. A
// sample stands for as many bytes and objects as the runtime's own sampling says (sampled_object.h).
//
// On the thread that allocates, in the middle of the allocation.
#pragma once

#include <cstdint>

#include "agent/sources/event_source.h"

namespace walkabout::agent {

class AllocSource final : public EventSource {
 public:
  AllocSource() : EventSource(wire::source_id("alloc"), kShare) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void on_event(const RuntimeEvent& event) override;

 private:
  // They come in any number: 10,000 a second for each GB.
  static constexpr EventCapture::Share kShare{1000, true};
};

}  // namespace walkabout::agent
