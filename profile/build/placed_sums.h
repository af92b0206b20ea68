// Sums of events whose stacks were not walked, of a source whose events are samples themselves (one for every
// 100 KiB that is allocated): what they stand for is placed at the stacks that were walked of the same thread
// with the same labels, in proportion to what these stand for. So a stack has what it is expected to have, as
// each sample of such a source has, and amounts by thread and label stay what they were. Events that are
// counted one by one keep their sums apart: which stacks they had is not known. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::profile {

// Whether its sums are placed.
inline bool places_sums(const wire::Source& source) {
  return source.period != 0 && source.clock == static_cast<uint32_t>(wire::Clock::kEvent);
}

// Of the first value.
struct PlacedSums {
  uint64_t placed = 0;
  uint64_t all = 0;
};

// A sum becomes samples at what was walked since the sum before it with these labels, or, where nothing was,
// at the last stack before it or else the first behind it; their end is still kNotWalked, and the first of
// them has its count. They come behind the others. Where no stack was walked it stays. span_us: samples of
// each such span were put together at the time of the first (Thinned); 0: none were. profile: has their
// source, and their values behind the first. REQUIRES: places_sums() of the source.
PlacedSums place_sums(std::vector<Sample>& samples, uint8_t source, uint64_t span_us, Profile& profile);

}  // namespace walkabout::profile
