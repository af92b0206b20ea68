#include "profile/query/gauges.h"

#include <algorithm>
#include <vector>

#include "profile/query/view.h"

namespace walkabout::profile {

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
  return out;
}

void keep_between(uint64_t from_us, uint64_t to_us, Gauges& gauges) {
  const size_t width = gauges.values.size();
  size_t kept = 0;
  for (size_t i = 0; i < gauges.time_us.size(); ++i) {
    if (gauges.time_us[i] < from_us || gauges.time_us[i] >= to_us) continue;
    gauges.time_us[kept] = gauges.time_us[i];
    std::copy_n(gauges.measured.begin() + static_cast<ptrdiff_t>(i * width), width,
                gauges.measured.begin() + static_cast<ptrdiff_t>(kept * width));
    ++kept;
  }
  gauges.time_us.resize(kept);
  gauges.measured.resize(kept * width);
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
