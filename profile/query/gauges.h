// Values of which the largest counts, over time: the sizes of a heap, each time they were measured. Any
// thread, no state.
#pragma once

#include <cstdint>

#include "profile/model/profile.h"

namespace walkabout::profile {

// Of the source of that view, by time, whatever order its samples have. A sample in which all are 0 measured
// none of them. REQUIRES: the profile has no view: its samples have all their values.
Gauges gauges(const Profile& profile, View view);

// One of its values, over all times. REQUIRES: there is a time.
struct GaugeRange {
  uint64_t first = 0, last = 0, least = 0, most = 0;
  uint64_t most_us = 0;  // when it was that first
};
GaugeRange range_of(const Gauges& gauges, size_t value);

}  // namespace walkabout::profile
