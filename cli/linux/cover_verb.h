// `walkabout cover`: runs a command and says which lines and branches of its .NET processes ran.
#pragma once

#include "cli/command_line.h"

namespace walkabout::cli {

void add_cover(CommandLine& line);

}  // namespace walkabout::cli
