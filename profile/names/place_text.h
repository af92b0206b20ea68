// A source place as people read it. Any thread, no state.
#pragma once

#include <string>

#include "profile/model/profile.h"

namespace walkabout::profile {

// "22", "22 or 23", "22, 23 or 25", "22 to 40" (one of those), "22 or near"; empty: nothing is known.
std::string lines_text(const SourcePlace& place);
// "Program.cs:22 or 23".
std::string place_text(const SourcePlace& place);

}  // namespace walkabout::profile
