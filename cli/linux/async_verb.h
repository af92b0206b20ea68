// `walkabout async`: which async methods of a running process wait now, by logical stack: one look, or
// two, by an agent that leaves again.
#pragma once

#include "cli/command_line.h"

namespace walkabout::cli {

void add_async(CommandLine& line);

}  // namespace walkabout::cli
