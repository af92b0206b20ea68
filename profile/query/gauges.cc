#include "profile/query/gauges.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

// What was measured at one time stays in the order it came.
void sort_by_time(Gauges& gauges) {
  if (std::is_sorted(gauges.time_us.begin(), gauges.time_us.end())) return;
  std::vector<size_t> order(gauges.time_us.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&gauges](size_t a, size_t b) { return gauges.time_us[a] < gauges.time_us[b]; });
  const size_t width = gauges.values.size();
  std::vector<uint64_t> time_us, measured;
  for (const size_t at : order) {
    time_us.push_back(gauges.time_us[at]);
    const auto first = gauges.measured.begin() + static_cast<ptrdiff_t>(at * width);
    measured.insert(measured.end(), first, first + static_cast<ptrdiff_t>(width));
  }
  gauges.time_us = std::move(time_us);
  gauges.measured = std::move(measured);
}

}  // namespace

Gauges gauges(const Profile& profile, View view) {
  Gauges out;
  std::vector<size_t> which;
  const std::vector<wire::SourceValue>& values = source_of(profile, view).values;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].adding != wire::Adding::kMax) continue;
    which.push_back(i);
    out.values.push_back(values[i]);
  }
  if (which.empty()) return out;
  for (const Sample& sample : profile.samples) {
    if (sample.source != view.source) continue;
    const bool any = std::any_of(which.begin(), which.end(),
                                 [&](size_t value) { return value_of(profile, sample, value) != 0; });
    if (!any) continue;
    out.time_us.push_back(sample.time_us);
    for (const size_t value : which) out.measured.push_back(value_of(profile, sample, value));
  }
  sort_by_time(out);
  return out;
}

GaugeRange range_of(const Gauges& gauges, size_t value) {
  const size_t width = gauges.values.size();
  const auto at = [&](size_t time) { return gauges.measured[time * width + value]; };
  GaugeRange range{at(0), at(gauges.time_us.size() - 1), at(0), at(0), gauges.time_us[0]};
  for (size_t i = 1; i < gauges.time_us.size(); ++i) {
    range.least = std::min(range.least, at(i));
    if (at(i) <= range.most) continue;
    range.most = at(i);
    range.most_us = gauges.time_us[i];
  }
  return range;
}

}  // namespace walkabout::profile
