// `report --pool`: the thread pool of a process over time, for a person (text) or a program (JSON,
// docs/json.md). One thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cli/terminal.h"
#include "console/json_out.h"
#include "profile/model/profile.h"
#include "profile/query/pool_blocked.h"
#include "profile/query/pool_workers.h"

namespace walkabout::cli {

struct PoolReport {
  uint64_t begin_us = 0, end_us = 0;
  // None: the events were not recorded.
  std::optional<profile::PoolWorkers> workers;
  std::optional<profile::PoolBlocked> blocked;
  std::string blocked_event;  // "wall" or "waits": where `blocked` is from
  size_t top = 20;
};

// profile: what pool_blocked left of it; its frames are named.
std::string pool_text(const profile::Profile& profile, const PoolReport& report, const Terminal& terminal);
Json pool_json(const profile::Profile& profile, const PoolReport& report);

}  // namespace walkabout::cli
