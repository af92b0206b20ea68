// The workers of a process's thread pool over time: how many there were, and why the pool changed their
// number. From the source "threads". Any thread, no state.
//
// A worker that begins or ends says how many the pool has then. An adjustment says how many shall run at
// once; the pool begins a thread for one more of them only where no idle one is left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::profile {

// Why the pool adjusted the number of workers that shall run at once.
struct PoolReason {
  std::string name;  // "starvation", "blocked workers", "climbing", …
  uint64_t times = 0;
  // By how much, as far as it is certain. One more for each starvation. Of others the number before is known
  // by the adjustment before; of the first of all it is not, but where the recording has the program's start
  // "blocked workers" is one more at least: the first cannot be for less.
  uint64_t added = 0, removed = 0;
  uint64_t first_us = 0, last_us = 0;
};

struct PoolPart {
  uint64_t begin_us = 0, end_us = 0;
  std::optional<uint64_t> most;  // workers
  uint64_t added = 0;            // for starvation or blocked workers
};

struct PoolWorkers {
  // None: not known; nothing said so before. `end` also where the last events were summed without their
  // order.
  std::optional<uint64_t> begin, most, end;
  uint64_t begun = 0, ended = 0;    // worker threads
  std::vector<PoolReason> reasons;  // by the time they came first
  std::vector<PoolPart> parts;
  uint64_t summed = 0;  // events whose moment is known to 50 ms alone
};

inline constexpr char kStarvation[] = "starvation";
inline constexpr char kBlockedWorkers[] = "blocked workers";
inline constexpr size_t kPoolParts = 10;

// Whether the pool had items that waited or workers that were blocked: `report` points to its view.
bool is_pool_starved(const Profile& profile);

// From begin_us to end_us. None where the threads' events were not recorded. REQUIRES: the profile is of one
// process, has no view, and has all samples up to end_us in the order of time.
std::optional<PoolWorkers> pool_workers(const Profile& profile, uint64_t begin_us, uint64_t end_us);

}  // namespace walkabout::profile
