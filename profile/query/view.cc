#include "profile/query/view.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "profile/query/gauges.h"
#include "profile/query/rows.h"

namespace walkabout::profile {
namespace {

template <typename Named>
std::string names_of(const std::vector<Named>& all) {
  std::string out;
  for (const Named& one : all) out += (out.empty() ? "" : ", ") + one.name;
  return out;
}

// The index of the one with this name, or of the first.
template <typename Named>
size_t find(const std::vector<Named>& all, const std::string& name) {
  const auto has_name = [&name](const Named& one) { return one.name == name; };
  return static_cast<size_t>(std::find_if(all.begin(), all.end(), has_name) - all.begin());
}

void leave_out_others(Profile& profile, View view) {
  const wire::Source& source = source_of(profile, view);
  const auto is_another = [&](const Sample& sample) {
    return is_of_another_value(source, value_of(profile, sample, view.value));
  };
  profile.samples.erase(std::remove_if(profile.samples.begin(), profile.samples.end(), is_another),
                        profile.samples.end());
}

}  // namespace

base::Result<View> find_view(const Profile& profile, const std::string& event, const std::string& value) {
  const std::vector<wire::Source>& sources = profile.sources;
  View view;
  if (sources.empty() && event.empty() && value.empty()) return view;
  size_t source = find(sources, event.empty() ? "cpu" : event);
  if (source == sources.size() && event.empty() && !sources.empty()) source = 0;
  if (source == sources.size()) {
    return base::Status::error("the recording has no event '" + event +
                               "'; it has: " + (sources.empty() ? "none" : names_of(sources)));
  }
  const std::vector<wire::SourceValue>& values = sources[source].values;
  const size_t at = value.empty() ? 0 : find(values, value);
  if (at == values.size()) {
    return base::Status::error("the event '" + sources[source].name + "' has no value '" + value +
                               "'; it has: " + names_of(values));
  }
  view.source = static_cast<uint8_t>(source);
  view.value = static_cast<uint8_t>(at);
  return view;
}

View view_of(const Profile& profile) { return profile.view ? *profile.view : *find_view(profile, "", ""); }

const wire::Source& source_of(const Profile& profile, View view) {
  static const wire::Source cpu = wire::cpu_source({});
  return profile.sources.empty() ? cpu : profile.sources[view.source];
}

void count_samples(Profile& profile) {
  const View view = view_of(profile);
  Amount all;
  for (Thread& thread : profile.threads) thread.samples = thread.weight = 0;
  for (const Row& row : rows(profile, {.node = false, .thread = true}, view)) {
    profile.threads[row.thread].samples = row.sum.samples;
    profile.threads[row.thread].weight = row.sum.weight;
    add(row.sum, adding_of(profile, view), all);
  }
  profile.total_weight = all.weight;
}

Profile viewed(Profile profile, View view) {
  const bool only_one = std::all_of(profile.samples.begin(), profile.samples.end(),
                                    [view](const Sample& sample) { return sample.source == view.source; });
  if (!only_one) {
    profile.samples.erase(
        std::remove_if(profile.samples.begin(), profile.samples.end(),
                       [view](const Sample& sample) { return sample.source != view.source; }),
        profile.samples.end());
  }
  profile.gauges = gauges(profile, view);
  leave_out_others(profile, view);
  for (Sample& sample : profile.samples) sample.weight = value_of(profile, sample, view.value);
  profile.more_values.clear();
  if (!profile.sources.empty()) profile.view = view;
  if (is_cpu(profile, view)) return profile;  // counted already
  for (Thread& thread : profile.threads) thread.unsampled_ns = 0;
  count_samples(profile);
  return profile;
}

}  // namespace walkabout::profile
