// Methods that were compiled more than once, with the tier of each compile: when their tier changed. From the
// events of source "jit". Any thread, no state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::profile {

struct Compile {
  uint64_t time_us = 0;  // when it was done
  uint64_t ns = 0;       // it took
  std::string tier;      // "tier 1, instrumented"; empty: not known
};
struct CompiledAgain {
  std::string method;
  std::vector<Compile> compiles;  // in the order of time: two or more
  uint64_t ns = 0;                // of all
};

// The longest compiled first. Empty where jit was not recorded, by an agent that does not tell methods of one
// name apart, of several processes, and where the profile's view is another than that of jit's time. Compiles
// whose stacks were not walked are in sums: they are not known one by one.
std::vector<CompiledAgain> compiled_again(const Profile& profile);

}  // namespace walkabout::profile
