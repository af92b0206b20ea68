// Where workers of a thread pool were blocked while they had work, and how many at once. Of wall-clock time,
// or of waits where that was not recorded. Any thread, no state.
//
// A worker is known by its stack (profile/query/pool_stack.h). A sample is about the time before it: its
// weight is how long the thread was blocked, up to its moment.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "profile/model/profile.h"
#include "profile/query/pool_stack.h"

namespace walkabout::profile {

struct PoolWait {
  PoolCall call = PoolCall::kOther;
  uint32_t method = kNoFrame, caller = kNoFrame;  // as in PoolStack
  Amount amount;
};

struct PoolBlockedPart {
  uint64_t begin_us = 0, end_us = 0;
  uint64_t blocked_ns = 0;
  std::optional<uint64_t> most;  // at once
};

struct PoolBlocked {
  Amount all;
  std::array<Amount, kPoolCalls> calls;  // by PoolCall
  std::vector<PoolWait> waits;           // heaviest first
  // None: so much was recorded that single samples are not known any more (Thinned).
  std::optional<uint64_t> most;
  std::vector<PoolBlockedPart> parts;
  // Blocked time of workers whose stacks do not say whether they had work: not in the above.
  uint64_t unknown_ns = 0;
};

// From begin_us to end_us, cut there. Of the profile's samples these alone are left. REQUIRES: the profile
// has the view of "wall" or of "waits", and samples up to kToldLaterUs behind the end.
PoolBlocked pool_blocked(Profile& profile, uint64_t begin_us, uint64_t end_us, size_t parts);

}  // namespace walkabout::profile
