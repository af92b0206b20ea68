#include "wire/counters.h"

#include <algorithm>
#include <numeric>

namespace walkabout::wire {

SourceCounters counters_of(const Counters& counters, base::SourceId source) {
  if (source == kCpuSource) return {source, counters.attempts, counters.samples, counters.drops};
  for (const SourceCounters& of : counters.sources) {
    if (of.source == source) return of;
  }
  return {source, 0, 0, {}};
}

SourceCounters& entry_of(Counters& counters, base::SourceId source) {
  for (SourceCounters& of : counters.sources) {
    if (of.source == source) return of;
  }
  return counters.sources.emplace_back(SourceCounters{source, 0, 0, {}});
}

uint64_t sum_of_drops(const std::vector<uint64_t>& drops) {
  return std::accumulate(drops.begin(), drops.end(), uint64_t{0});
}

void add_drops(const std::vector<uint64_t>& drops, std::vector<uint64_t>* to) {
  to->resize(std::max(to->size(), drops.size()));
  for (size_t i = 0; i < drops.size(); ++i) (*to)[i] += drops[i];
}

}  // namespace walkabout::wire
