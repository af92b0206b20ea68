// What `run` prints at the end: where the time went, how good the recording is, what was lost.
#pragma once

#include <cstdio>

#include "profile/profile.h"

namespace walkabout::cli {

// width: of the terminal, in characters.
void print_summary(const profile::Profile& profile, size_t width, std::FILE* to);

}  // namespace walkabout::cli
