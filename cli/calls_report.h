// What `count` prints, and `report` of its recording: the calls of each method. One thread.
#pragma once

#include <cstddef>
#include <string>

#include "cli/terminal.h"
#include "console/json_out.h"
#include "profile/build/calls.h"

namespace walkabout::cli {

std::string calls_text(const profile::Calls& calls, size_t top, const Terminal& terminal);
// Methods without calls are among them.
Json calls_json(const profile::Calls& calls, size_t top);
// Of patterns that choose nothing a sentence each, with names like them; empty where each chooses some, or
// where that is not known, for not all was looked through.
std::string without_methods(const profile::Calls& calls);

}  // namespace walkabout::cli
