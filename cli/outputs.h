// From an intake to the files the user asked for: native code is named and each output written. What there is
// to say of it comes back as text: nothing is printed before all files are there.
#pragma once

#include <string>

#include "cli/collector.h"
#include "cli/profiling.h"
#include "cli/session_dir.h"

namespace walkabout::cli {

struct Written {
  bool all = true;   // false: some output could not be made; the others are
  std::string text;  // for standard error: what went wrong, the summary, the files
};

// Every output of one process, the `index`-th of a run. A recording that could not be kept anywhere stays in
// the session's folder.
Written write_outputs(const ProfilingOptions& options, Intake& intake, size_t index, SessionDir& session);

// The end of a process whose recordings went into files of their own. `all` is false when the last of them
// could not be written, or none.
Written end_files(const ProfilingOptions& options, Intake& intake);

}  // namespace walkabout::cli
