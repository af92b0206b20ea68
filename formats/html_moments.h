// The runtime's events of a recording one by one, for the lanes over the page's time line: pauses, compiles,
// loads, exceptions, waits, threads. Of each event the page has a bounded number, and how many it has not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::formats {

struct HtmlMoment {
  uint64_t time_us = 0;  // its end
  uint64_t took_us = 0;  // 0: it has no length
  uint32_t thread = 0;
  uint32_t node = 0;    // of the profile
  uint32_t labels = 0;  // index into label_sets
  uint32_t lane = 0;    // index into HtmlMoments::lanes
};

struct HtmlLane {
  uint8_t source = 0;  // index into sources
  uint64_t shown = 0;
  uint64_t left_out = 0;  // shorter ones, or some of those without a length, evenly
  uint64_t sums = 0;      // samples that are sums: when their events were is not known
};

struct HtmlMoments {
  std::vector<HtmlLane> lanes;
  std::vector<HtmlMoment> all;  // by time
};

inline constexpr size_t kMostMoments = 2000;  // of a lane

// Sources that count bytes have none: they come in numbers, and last no time.
HtmlMoments html_moments(const profile::Profile& profile, size_t most = kMostMoments);

}  // namespace walkabout::formats
