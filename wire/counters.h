// What Counters say of one source, CPU time like any other. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "wire/records.h"

namespace walkabout::wire {

// All 0 for a source that they do not have.
SourceCounters counters_of(const Counters& counters, base::SourceId source);
// Made if they do not have it. REQUIRES: source != kCpuSource.
SourceCounters& entry_of(Counters& counters, base::SourceId source);

// By index of DropCause; lists may be of different lengths.
uint64_t sum_of_drops(const std::vector<uint64_t>& drops);
void add_drops(const std::vector<uint64_t>& drops, std::vector<uint64_t>* to);

}  // namespace walkabout::wire
