// What `report --pending` and `async` print: the async methods that wait, by logical stack. One thread.
#pragma once

#include <cstddef>
#include <string>

#include "cli/terminal.h"
#include "console/json_out.h"
#include "profile/build/pending.h"

namespace walkabout::cli {

// A sentence where the recording has no snapshot; else empty.
std::string no_snapshot(const profile::Pending& pending);
std::string pending_text(const profile::Pending& pending, size_t top, const Terminal& terminal);
Json pending_json(const profile::Pending& pending, size_t top);

}  // namespace walkabout::cli
