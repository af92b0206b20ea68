// Samples of the same stack as one: what the formats without a time line write. Any thread, no state.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::formats {

struct StackSum {
  uint32_t thread = 0;  // index into threads; 0 for all when threads are not told apart
  uint32_t node = 0;    // leaf
  uint64_t samples = 0;
  uint64_t weight = 0;
};

// Sorted by thread, then node.
std::vector<StackSum> stack_sums(const profile::Profile& profile, bool by_thread);

// The frames of a node, leaf first.
void stack_of(const profile::Profile& profile, uint32_t node, std::vector<uint32_t>& frames);

}  // namespace walkabout::formats
