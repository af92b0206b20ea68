// What a person reads of coverage at the end of a run.
#pragma once

#include <string>

#include "cover/line_coverage.h"

namespace walkabout::cli {

// A row for each module, and one for all.
std::string cover_summary(const cover::Coverage& coverage);

}  // namespace walkabout::cli
