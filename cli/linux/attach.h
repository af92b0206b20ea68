// `walkabout attach`: puts the agent into a process that runs already, collects, has it leave again, reports.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "cli/linux/profiling.h"

namespace walkabout::cli {

struct AttachOptions : ProfilingOptions {
  std::string process;     // its id or name
  uint64_t snapshots = 0;  // the agent leaves when so many have come; 0: not before the time is over
  std::string duration;    // empty: until the user or the process ends it
};

void add_attach(CommandLine& line);

// kSuccess, kFailure or kUsage (console/exit_codes.h) with the cause on stderr.
int attach(const AttachOptions& options);

}  // namespace walkabout::cli
