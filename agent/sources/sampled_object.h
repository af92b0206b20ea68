// An allocated object as the runtime samples allocations, and what it stands for: of .NET 10 each byte is as
// likely as every other to be sampled, 100 KiB apart on average (AllocationSampled); of .NET 8 and 9 one
// object is reported for every 100 KiB that a heap gave out (AllocationTick). Pure; the thread that
// allocates.
#pragma once

#include <cstdint>
#include <optional>

#include "agent/sources/source.h"
#include "clr/events/allocation.h"

namespace walkabout::agent {

inline constexpr uint64_t kBytesBetweenSamples = 102'400;  // on average

struct SampledObject {
  clr::AllocatedObject object;  // views into the event's payload
  double objects = 0;           // so many like it
  uint64_t bytes = 0;           // of all of them
};
// None where the event is another one.
std::optional<SampledObject> sampled_object(const RuntimeEvent& event);
SourceNeeds needs_of_sampled_objects(uint32_t runtime);
// Tells the reader of the recording where other sessions see no AllocationTick while objects are sampled.
void report_silence(uint32_t runtime, Spooler& spooler);

// How many objects of this size a sampled one stands for, where every byte is sampled with the same
// probability, once in 100 KiB. Source: the runtime's documentation of AllocationSampled.
double objects_of_a_sample(uint64_t size);
// A whole number that is `value` on average. random: evenly distributed.
uint64_t rounded(double value, uint64_t random);
// Evenly distributed, for samples; from the time stamp counter.
uint64_t random_number();

}  // namespace walkabout::agent
