// The amounts of a view by what a label says: allocations by type, waits by lock. Not of threads' states
// and system calls (profile/query/blocked.h). Any thread, no state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::profile {

struct LabelAmount {
  uint64_t value = 0;  // of the label; 0: not known
  Amount amount;
};

struct ByLabel {
  wire::SourceLabel label;
  std::vector<LabelAmount> values;  // heaviest first
};

// For each such label of the view's source, in their order.
std::vector<ByLabel> by_label(const Profile& profile, View view);

}  // namespace walkabout::profile
