#include "formats/html_moments.h"

#include <algorithm>

namespace walkabout::formats {
namespace {

using profile::Profile;
using profile::Sample;

constexpr char kTime[] = "nanoseconds";

bool has_lane(const wire::Source& source) {
  return source.clock == static_cast<uint32_t>(wire::Clock::kEvent) && !source.values.empty() &&
         source.values[0].unit != "bytes";
}

// The value that says how long an event took; as many as it has where none does.
size_t time_value(const wire::Source& source) {
  return static_cast<size_t>(
      std::find_if(source.values.begin(), source.values.end(),
                   [](const wire::SourceValue& value) { return value.unit == kTime; }) -
      source.values.begin());
}

// Of the event itself: another value's samples, as of the owner of a lock, are no event of their own.
uint64_t took_us(const Profile& profile, const wire::Source& source, const Sample& sample) {
  if (profile.view) return profile::viewed_value(profile).unit == kTime ? sample.weight / 1000 : 0;
  const size_t value = time_value(source);
  return value == source.values.size() ? 0 : profile::value_of(profile, sample, value) / 1000;
}

std::vector<HtmlMoment> longest(std::vector<HtmlMoment> moments, size_t most) {
  if (moments.size() <= most) return moments;
  const bool last = std::any_of(moments.begin(), moments.end(),
                                [](const HtmlMoment& moment) { return moment.took_us != 0; });
  if (last) {
    std::stable_sort(moments.begin(), moments.end(),
                     [](const HtmlMoment& a, const HtmlMoment& b) { return a.took_us > b.took_us; });
    moments.resize(most);
    return moments;
  }
  for (size_t i = 0; i < most; ++i) moments[i] = moments[i * moments.size() / most];
  moments.resize(most);
  return moments;
}

}  // namespace

HtmlMoments html_moments(const Profile& profile, size_t most) {
  HtmlMoments out;
  for (size_t index = 0; index < profile.sources.size(); ++index) {
    const wire::Source& source = profile.sources[index];
    if (!has_lane(source)) continue;
    HtmlLane lane{static_cast<uint8_t>(index)};
    const bool begins_with_time = time_value(source) == 0;
    std::vector<HtmlMoment> moments;
    for (const Sample& sample : profile.samples) {
      if (sample.source != index || (begins_with_time && sample.weight == 0)) continue;
      if (sample.count != 1 || sample.end == wire::WalkEnd::kNotWalked) {
        lane.sums += sample.count;
        continue;
      }
      moments.push_back({sample.time_us, took_us(profile, source, sample), sample.thread, sample.node,
                         sample.labels, static_cast<uint32_t>(out.lanes.size())});
    }
    if (moments.empty()) continue;
    const size_t all = moments.size();
    moments = longest(std::move(moments), most);
    lane.shown = moments.size();
    lane.left_out = all - moments.size();
    out.lanes.push_back(lane);
    out.all.insert(out.all.end(), moments.begin(), moments.end());
  }
  std::stable_sort(out.all.begin(), out.all.end(),
                   [](const HtmlMoment& a, const HtmlMoment& b) { return a.time_us < b.time_us; });
  return out;
}

}  // namespace walkabout::formats
