// The source files of assemblies and processes as those of one profile. Any thread, no state.
#pragma once

#include <vector>

#include "profile/model/profile.h"

namespace walkabout::profile {

// By path, each once. Those whose checksums differ are of one path and not the same file: `several` says so.
std::vector<SourceDocument> one_of_each(std::vector<SourceDocument> documents);

}  // namespace walkabout::profile
