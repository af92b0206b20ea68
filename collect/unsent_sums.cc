#include "collect/unsent_sums.h"

#include <algorithm>
#include <limits>

namespace walkabout::cli {
namespace {

constexpr uint64_t kMostValue = uint64_t{1} << 52;  // recording/format.md

// Of the two places where the spooler wrote down what it emitted, the one that came through the stream.
const wire::EmittedSum& sent(const wire::SumRow& row, const StreamState& known) {
  const uint32_t newest = row.newest.load(std::memory_order_relaxed) & 1;
  const bool came = row.emitted[newest].index < known.stream_samples_of(base::ThreadId(row.thread),
                                                                        base::SourceId(row.source),
                                                                        wire::SampleOrigin::kTally);
  return row.emitted[came ? newest : 1 - newest];
}

// A value that does not add up was put back before it was written out.
uint64_t unsent(const wire::SumRow& row, size_t value, const wire::EmittedSum& sent) {
  const uint64_t now = row.added(value, sent);
  const wire::EmittedSum& newest = row.emitted[row.newest.load(std::memory_order_relaxed) & 1];
  return row.is_largest(value) && &newest != &sent ? std::max(now, newest.values[value]) : now;
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
    const wire::EmittedSum& last = sent(row, known);
    bool any = false, plausible = true;
    for (size_t value = 0; value < values; ++value) {
      sum.values.push_back(unsent(row, value, last));
      any = any || sum.values.back() != 0;
      plausible = plausible && sum.values.back() <= kMostValue;
    }
    sum.labels.assign(row.labels, row.labels + labels);
    if (any && !plausible) ++all.damaged[sum.source.value - 1];
    if (any && plausible) all.sums.push_back(std::move(sum));
  }
  return all;
}

}  // namespace walkabout::cli
