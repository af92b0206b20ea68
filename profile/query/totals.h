// Sums over a profile in its view: weight and samples per display frame (self and total), per activity.
// Recursion counts once: a frame's total is the weight of the samples that have it on the stack anywhere.
// Sums of frames are right also where stacks were cut off (Thinned). Any thread, no state.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::profile {

struct Totals {
  wire::Adding adding = wire::Adding::kSum;  // how amounts become one
  Amount all;
  std::array<Amount, static_cast<size_t>(Activity::kCount)> activity{};
  std::array<uint64_t, static_cast<size_t>(wire::WalkEnd::kCount)> walk_end{};  // samples
  uint64_t not_walked = 0;          // of the weight, what is of events whose stacks were not walked
  uint64_t shortened = 0;           // samples that frames were left out of
  uint64_t whole = 0;               // samples walked to the thread's entry with nothing left out
  std::vector<Amount> node_self;    // by node
  std::vector<Amount> node_total;   // by node: itself and everything above it
  std::vector<Amount> frame_self;   // by frame; of events the method's that the runtime raised them for
  std::vector<Amount> frame_total;  // by frame
};
// Of a profile without a view: of view_of() (profile/query/view.h).
Totals sum_up(const Profile& profile);

// Indices of the frames with the most weight in `amounts`, heaviest first; none without weight and samples.
std::vector<uint32_t> heaviest(const std::vector<Amount>& amounts, size_t count);

}  // namespace walkabout::profile
