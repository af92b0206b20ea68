// The sources that an agent on Windows has, and why it has not the others. The command line and the agent
// read the same. Pure; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/sources.h"

namespace walkabout::wire {

// Why it is not to be had there; empty: it is.
std::string_view missing_on_windows(base::SourceId source);
// The rows of those that are.
std::vector<SourceRow> sources_on_windows();
// As parse_events(): "all" and "default" stand for what there is. An error names one that is missing, and
// why.
base::Result<std::vector<SourceChoice>> parse_events_on_windows(std::string_view list);

}  // namespace walkabout::wire
