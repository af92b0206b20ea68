// From receivers to the files the user asked for: native code is named and each output written. What there is
// to say of it comes back as text: nothing is printed before all files are there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/linux/profiling.h"
#include "collect/collector.h"
#include "launch/session_dir.h"
#include "recording/index.h"

namespace walkabout::cli {

struct Written {
  bool all = true;   // false: some output could not be made; the others are
  std::string text;  // for standard error: what went wrong, the summary, the files
};

using StreamReceivers = std::vector<std::unique_ptr<StreamReceiver>>;
using Missed = std::vector<recording::MissedProcess>;

// A line for each.
std::string missed_text(const Missed& missed);

// Every output of a session: of one process, or of several as one picture (recording/index.h). Recordings
// that could not be kept anywhere stay in the session's folder.
Written write_outputs(const ProfilingOptions& options, const StreamReceivers& receivers, Missed missed,
                      SessionDir& session);

// The end of processes whose recordings went into files of their own. `all` is false when one of them
// could not be written, or there is none.
Written end_files(const ProfilingOptions& options, const StreamReceivers& receivers);

}  // namespace walkabout::cli
