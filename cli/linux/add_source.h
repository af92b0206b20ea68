// `walkabout convert --source`: the text of source files, from this machine and from PDBs. No state; one
// thread.
#pragma once

#include "base/result.h"
#include "cli/convert.h"
#include "profile/model/profile.h"

namespace walkabout::cli {

// Reads the recording once more. An error where it cannot be; a text that is not found is noted in the
// profile.
base::Status add_source(const ConvertOptions& options, profile::Profile& profile);

}  // namespace walkabout::cli
