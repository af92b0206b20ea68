// The processes of a profile of several, as the summary of `run` lists them. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "profile/model/profile.h"
#include "profile/query/totals.h"

namespace walkabout::cli {

// A line for each of the heaviest, with its share of the CPU time, and how many more there are. REQUIRES: the
// outermost frames are the processes (profile/build/load.h). totals: of the profile. width: of the terminal,
// in characters.
std::string process_lines(const profile::Profile& several, const profile::Totals& totals, size_t width);

}  // namespace walkabout::cli
