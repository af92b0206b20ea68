// What the runtime is asked for: what the agent itself needs, and what the sources that are on need. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "agent/sources/source.h"

namespace walkabout::agent {

struct RuntimeNeeds {
  uint32_t callbacks = 0;
  uint32_t high_callbacks = 0;
  // Of the runtime's event provider, by level: a session each. A keyword that several need has the highest of
  // their levels: an event that two sessions want would come twice.
  std::map<uint32_t, uint64_t> keywords;

  void add(const SourceNeeds& needs);
};

// `agent`, and all that are on.
RuntimeNeeds runtime_needs(const SourceNeeds& agent, const std::vector<SourceNeeds>& sources);

}  // namespace walkabout::agent
