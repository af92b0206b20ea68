// Sums of events whose stacks were not walked, of a source whose events are samples themselves (one for every
// 100 KiB that is allocated): what they stand for is placed at the stacks that were walked of the same thread
// with the same labels, in proportion to what these stand for. So a stack has what it is expected to have, as
// each sample of such a source has, and amounts by thread and label stay what they were. Events that are
// counted one by one keep their sums apart: which stacks they had is not known. One thread.
#pragma once

#include <cstdint>

#include "profile/model/profile.h"

namespace walkabout::profile {

// Whether its sums are placed.
inline bool places_sums(const wire::Source& source) {
  return source.period != 0 && source.clock == static_cast<uint32_t>(wire::Clock::kEvent);
}

// A sum is placed at what was walked since the sum before it with these labels, or, where nothing was, at the
// last stack before it or else the first behind it. Where no stack was walked it stays. The samples keep
// their order. REQUIRES: places_sums() of it; the profile has no view.
PlacedSums place_sums(Profile& profile, uint8_t source);

// Of the source in view: what of its first value was placed so, in the whole recording; 0 … 1.
double placed_share(const Profile& profile);

}  // namespace walkabout::profile
