// The source "alloc": sampled allocations of objects, with the stack that allocated, the type and the heap. A
// sample stands for as many bytes and objects as the runtime's own sampling says: of .NET 10 each byte is as
// likely as every other to be sampled, 100 KiB apart on average (AllocationSampled); of .NET 8 and 9 one
// object is reported for every 100 KiB that a heap gave out (AllocationTick).
//
// On the thread that allocates, in the middle of the allocation.
#pragma once

#include <cstdint>

#include "agent/core/text_table.h"
#include "agent/sources/event_source.h"
#include "clr/events/allocation.h"

namespace walkabout::agent {

// How many objects of this size a sampled one stands for, where every byte is sampled with the same
// probability, once in 100 KiB. Source: the runtime's documentation of AllocationSampled.
double objects_of_a_sample(uint64_t size);
// A whole number that is `value` on average. random: evenly distributed.
uint64_t rounded(double value, uint64_t random);

class AllocSource final : public EventSource {
 public:
  AllocSource() : EventSource(wire::source_id("alloc"), kShare) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void on_event(const RuntimeEvent& event) override;

 private:
  void sample(const clr::AllocatedObject& object, double objects, uint64_t bytes);

  static constexpr uint32_t kShare = 50;
};

}  // namespace walkabout::agent
