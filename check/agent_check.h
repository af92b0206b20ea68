// The agent's library: is it there, who else may change it, can a process get at it.
#pragma once

#include <string>

#include "check/check_result.h"
#include "diagnostics/process.h"

namespace walkabout::cli {

// The library at this path, as this machine has it.
CheckResult check_agent_file(const std::string& path);
// Whether a running process can read it, or a copy in a folder of its own.
CheckResult check_agent_reach(const diagnostics::Process& process, const std::string& path);

}  // namespace walkabout::cli
