// `walkabout version`, and --version.
#pragma once

#include <string>

#include "cli/command_line.h"

namespace walkabout::cli {

void add_version(CommandLine& line);

std::string version_text();

}  // namespace walkabout::cli
