// Which samples a report is about, and what it sums. Any thread, no state.
#pragma once

#include <string>

#include "base/result.h"
#include "profile/model/profile.h"

namespace walkabout::profile {

// event: the name of a source; empty: "cpu", or the first one where CPU time was not sampled. value: the name
// of one of its values; empty: the first. Errors list what there is.
base::Result<View> find_view(const Profile& profile, const std::string& event, const std::string& value);

// The one that a profile has, or that of no event and no value.
View view_of(const Profile& profile);

// Whether the view shows this sample, and with what. REQUIRES: the profile has this view or none.
inline bool is_in(const Profile& profile, View view, const Sample& sample) {
  return profile.sources.empty() || sample.source == view.source;
}
inline uint64_t weight_of(const Profile& profile, View view, const Sample& sample) {
  return profile.view ? sample.weight : value_of(profile, sample, view.value);
}

// The source that is shown: CPU time where the profile has none.
const wire::Source& source_of(const Profile& profile, View view);
inline bool is_cpu(const Profile& profile, View view) {
  return source_of(profile, view).id == wire::kCpuSource;
}

// A sample of an event that has nothing of the value in view is of another value: who held others up, who
// catches. Not of one that is itself a sample (a period): each has all values, though rounded to nothing.
inline bool is_of_another_value(const wire::Source& source, uint64_t weight) {
  if (source.id == kTracedSource) return weight == 0;
  return weight == 0 && source.values.size() > 1 && source.period == 0 &&
         source.clock == static_cast<uint32_t>(wire::Clock::kEvent);
}

// The profile with the samples of this source alone, their weights of this value. Samples of another value,
// measurements (Gauges) among them, are left out. REQUIRES: it has no view.
Profile viewed(Profile profile, View view);

// Counts again what the threads have and the whole, in the profile's view.
void count_samples(Profile& profile);

}  // namespace walkabout::profile
