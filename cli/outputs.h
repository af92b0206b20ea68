// From an intake to the files the user asked for: native code is named, the summary printed, each output
// written.
#pragma once

#include <string>

#include "cli/collector.h"
#include "cli/profiling.h"
#include "cli/session_dir.h"

namespace walkabout::cli {

// Every output of one process, the `index`-th of a run. Returns false when one
// could not be written; the others are, and a recording that could not be kept stays in the session's folder.
bool write_outputs(const ProfilingOptions& options, Intake& intake, size_t index, SessionDir& session);

// The end of a process whose recordings went into files of their own. False when the last of them could not
// be written, or none.
bool end_files(const ProfilingOptions& options, Intake& intake);

}  // namespace walkabout::cli
