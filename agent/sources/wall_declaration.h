// What the source "wall" declares on every system.
#pragma once

#include "wire/records.h"

namespace walkabout::agent {

inline wire::Source wall_declaration(uint64_t period_ns) {
  wire::Source source;
  source.values = {{"wall time", "nanoseconds", wire::Adding::kSum}};
  source.labels = {{"state", static_cast<uint32_t>(wire::LabelType::kThreadState)},
                   {"system call", static_cast<uint32_t>(wire::LabelType::kSystemCall)}};
  source.clock = static_cast<uint32_t>(wire::Clock::kWall);
  source.period = period_ns;
  return source;
}

}  // namespace walkabout::agent
