#include "formats/traced_values.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace walkabout::formats {
namespace {

using profile::Profile;
using profile::Sample;

constexpr size_t kMostSources = 250;

wire::Source source_of_value(const wire::Source& all, size_t value) {
  wire::Source source = all;
  source.values = {all.values[value]};
  source.name = all.values[value].name;
  const bool is_time = all.values[value].unit == "nanoseconds";
  const auto clock = !is_time     ? wire::Clock::kEvent
                     : value == 0 ? wire::Clock::kWall
                                  : wire::Clock::kThreadCpu;
  source.clock = static_cast<uint32_t>(clock);
  return source;
}

}  // namespace

Profile by_traced_value(Profile profile) {
  const auto traced = std::find_if(profile.sources.begin(), profile.sources.end(),
                                   [](const wire::Source& s) { return s.id == profile::kTracedSource; });
  if (profile.view || traced == profile.sources.end()) return profile;
  const auto at = static_cast<size_t>(traced - profile.sources.begin());
  const wire::Source all = *traced;
  if (profile.sources.size() + all.values.size() > kMostSources) return profile;
  std::vector<bool> any(all.values.size());
  for (const Sample& sample : profile.samples) {
    if (sample.source != at) continue;
    for (size_t value = 0; value < any.size(); ++value)
      any[value] = any[value] || profile::value_of(profile, sample, value) != 0;
  }
  any[0] = true;
  std::vector<uint8_t> source_of(any.size());  // by value
  std::vector<wire::Source> sources(profile.sources.begin(), traced);
  for (size_t value = 0; value < any.size(); ++value) {
    source_of[value] = static_cast<uint8_t>(sources.size());
    if (any[value]) sources.push_back(source_of_value(all, value));
  }
  const auto added = static_cast<uint8_t>(sources.size() - at - 1);
  sources.insert(sources.end(), traced + 1, profile.sources.end());
  std::vector<Sample> samples;
  samples.reserve(profile.samples.size());
  for (const Sample& sample : profile.samples) {
    if (sample.source != at) {
      samples.push_back(sample);
      if (sample.source > at) samples.back().source = static_cast<uint8_t>(sample.source + added);
      continue;
    }
    for (size_t value = 0; value < any.size(); ++value) {
      const uint64_t weight = profile::value_of(profile, sample, value);
      if (weight == 0) continue;
      samples.push_back(sample);
      samples.back().weight = weight;
      samples.back().source = source_of[value];
      samples.back().more = 0;
    }
  }
  for (wire::Source& source : sources) {
    if (source.name == profile::kSlowCallSource) source.name = "slow calls";
  }
  profile.sources = std::move(sources);
  profile.samples = std::move(samples);
  return profile;
}

}  // namespace walkabout::formats
