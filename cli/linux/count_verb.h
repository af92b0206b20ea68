// `walkabout count`: exact numbers of the calls of chosen methods, of a process that runs or of a command.
#pragma once

#include "cli/command_line.h"

namespace walkabout::cli {

// command: what is counted stands behind --, and is to be started.
void add_count(CommandLine& line, bool command);

}  // namespace walkabout::cli
