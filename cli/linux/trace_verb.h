// `walkabout trace`: each call of chosen methods, of a process that runs or of a command: how long, under
// which traced callers, and slow ones one by one.
#pragma once

#include "cli/command_line.h"

namespace walkabout::cli {

// command: what is traced stands behind --, and is to be started.
void add_trace(CommandLine& line, bool command);

}  // namespace walkabout::cli
