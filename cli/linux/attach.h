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

// The option that says which process, and the last line of the help, of every verb that attaches.
void add_process_option(Verb verb, std::string* process);
inline constexpr char kAttachExitCodes[] =
    "Exit code: 0 done, 1 it could not be done (the cause is on stderr), 2 wrong options, or an agent that "
    "others could replace.";

// kSuccess, kFailure or kUsage (console/exit_codes.h) with the cause on stderr.
int attach(const AttachOptions& options);

}  // namespace walkabout::cli
