// What `trace` prints at its end, and `report` of its recording: the table of methods, the hot part of the
// call tree, the slowest calls. One thread.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "cli/terminal.h"
#include "console/json_out.h"
#include "profile/model/profile.h"

namespace walkabout::cli {

// A recording of one process with its traced calls: Profile::traces has one entry. Error: it cannot be read,
// or no calls were traced in it.
base::Result<profile::Profile> load_trace(const std::string& path);

// REQUIRES: of load_trace().
std::string trace_text(const profile::Profile& profile, size_t top, const Terminal& terminal);
// Methods without calls are among them. Keys: docs/json.md.
Json trace_json(const profile::Profile& profile, size_t top);
// Of patterns that choose nothing a sentence each, with names like them; empty where each chooses some, or
// where that is not known, for not all was looked through.
std::string without_methods(const profile::Traces& traces);

}  // namespace walkabout::cli
