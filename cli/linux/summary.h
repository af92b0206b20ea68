// What `run` prints at the end: where the time went, how good the recording is, what was lost.
#pragma once

#include <string>

#include "profile/model/profile.h"
#include "profile/query/totals.h"

namespace walkabout::cli {

// totals: of the profile. width: of the terminal, in characters.
std::string summary_text(const profile::Profile& profile, const profile::Totals& totals, size_t width);

}  // namespace walkabout::cli
