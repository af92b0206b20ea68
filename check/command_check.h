// A command as `walkabout run` would start it.
#pragma once

#include <string>
#include <vector>

#include "check/check_result.h"

namespace walkabout::cli {

// Lines: command, program, and for .NET programs asks. search: PATH's folders. REQUIRES: a command.
CheckResults check_command(const std::vector<std::string>& command, const std::string& search);

}  // namespace walkabout::cli
