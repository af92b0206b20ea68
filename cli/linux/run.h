// `walkabout run`: starts a command with the agent inside, collects, reports.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/linux/profiling.h"

namespace walkabout::cli {

struct RunOptions : ProfilingOptions {
  bool no_children = false;  // only the first .NET process
  bool children = false;     // they were asked for: it is an error where they cannot be had
  bool beside = false;
  std::vector<std::string> command;
};

void add_run(CommandLine& line);

// The target's exit code, or kFailure / kUsage (console/exit_codes.h) with the cause on stderr.
int run(const RunOptions& options);

}  // namespace walkabout::cli
