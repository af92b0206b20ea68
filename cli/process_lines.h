// The processes of a profile of several, as the summary of `run` lists them. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "profile/model/profile.h"

namespace walkabout::cli {

// A line for each of the heaviest, with its share of the CPU time, and how many more there are. REQUIRES: the
// outermost frames are the processes (profile/build/load.h). width: of the terminal, in characters.
std::string process_lines(const profile::Profile& several, size_t width);

}  // namespace walkabout::cli
