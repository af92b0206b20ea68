// What the source "async" declares on every system.
#pragma once

#include "wire/records.h"

namespace walkabout::agent {

inline wire::Source async_declaration(uint64_t period_ns) {
  wire::Source source;
  source.values = {{"waiting", "nanoseconds", wire::Adding::kSum},
                   {"operations", "count", wire::Adding::kSum}};
  source.labels = {{"seen since", static_cast<uint32_t>(wire::LabelType::kNumber)}};
  source.clock = static_cast<uint32_t>(wire::Clock::kWall);
  source.period = period_ns;
  return source;
}

}  // namespace walkabout::agent
