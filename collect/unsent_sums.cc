#include "collect/unsent_sums.h"

#include <algorithm>
#include <utility>

#include "recording/constants.h"

namespace walkabout::cli {
namespace {

// What the spooler emitted of a row, and what of that came through the stream: all, or what it had emitted
// before the last sample.
struct Emitted {
  const wire::EmittedSum& newest;
  const wire::EmittedSum& came;
};

Emitted emitted_of(const wire::SumRow& row, const StreamState& known) {
  const uint32_t at = row.newest.load(std::memory_order_relaxed) & 1;
  const wire::EmittedSum& newest = row.emitted[at];
  const uint64_t samples = known.stream_samples_of(base::ThreadId(row.thread), base::SourceId(row.source),
                                                   wire::SampleOrigin::kTally);
  return {newest, newest.index < samples ? newest : row.emitted[1 - at]};
}

// A value that does not add up was put back before it was written out.
uint64_t unsent(const wire::SumRow& row, size_t value, const Emitted& emitted) {
  const uint64_t now = row.added(value, emitted.came);
  const bool newest_is_lost = &emitted.newest != &emitted.came;
  return row.is_largest(value) && newest_is_lost ? std::max(now, emitted.newest.values[value]) : now;
}

}  // namespace

UnsentSums unsent_sums(const wire::Sums& memory, const StreamState& known) {
  UnsentSums all;
  for (size_t i = 0; i < wire::kMostSums; ++i) {
    if (memory.keys[i].load(std::memory_order_relaxed) < wire::Sums::kLeastHash) continue;
    const wire::SumRow& row = memory.rows[i];
    UnsentSum sum{base::ThreadId(row.thread), base::SourceId(row.source), {}, {}};
    const auto source = known.sources.find(sum.source);
    if (source == known.sources.end() || sum.source.value > wire::kMostSources) continue;
    const size_t values = source->second.values.size(), labels = source->second.labels.size();
    const bool sums_up = source->second.clock == static_cast<uint32_t>(wire::Clock::kEvent) &&
                         values <= wire::kMostSumValues && labels <= wire::kMostSumLabels;
    if (!sums_up || !sum.thread.valid()) {
      ++all.damaged[sum.source.value - 1];
      continue;
    }
    const Emitted emitted = emitted_of(row, known);
    bool any = false, plausible = true;
    for (size_t value = 0; value < values; ++value) {
      sum.values.push_back(unsent(row, value, emitted));
      any = any || sum.values.back() != 0;
      plausible = plausible && sum.values.back() <= recording::kMaxTime;
    }
    sum.labels.assign(row.labels, row.labels + labels);
    if (any && !plausible) ++all.damaged[sum.source.value - 1];
    if (any && plausible) all.sums.push_back(std::move(sum));
  }
  return all;
}

}  // namespace walkabout::cli
