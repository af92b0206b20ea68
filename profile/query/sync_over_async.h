// Threads of the pool that blocked on a task: sync over async. Such a thread does nothing while it waits for
// work that may need a thread of the same pool. Any thread, no state.
#pragma once

#include <optional>
#include <vector>

#include "profile/model/profile.h"
#include "profile/query/blocked.h"

namespace walkabout::profile {

struct SyncOverAsync {
  Amount amount;
  std::vector<Wait> waits;  // by who waits, heaviest first
};

// Of a view of wall-clock time or of waits; none where no stack says so. A task is known by the methods that
// wait for one, a thread of the pool by the method that takes its work.
std::optional<SyncOverAsync> sync_over_async(const Profile& profile, View view);

}  // namespace walkabout::profile
