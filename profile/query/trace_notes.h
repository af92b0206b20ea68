// What the reader of traced calls has to know of them: what was not traced, and why, and what the times are
// without. Any thread, no state.
#pragma once

#include <string>
#include <vector>

#include "profile/model/traces.h"

namespace walkabout::profile {

// A sentence each.
std::vector<std::string> trace_notes(const Traces& traces);

// "A, B and 3 others".
std::string list_of_methods(const std::vector<std::string>& names);

}  // namespace walkabout::profile
