// The agent's library where a process can read it. Thread rule: any, no state.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "diagnostics/process.h"

namespace walkabout::cli {

// The process sees this very file under the same path, and its user may read it there.
bool sees_and_may_read(const diagnostics::Process& process, const std::string& path);

// Puts a copy of `library` into `folder` (of the process's files) and returns its name. A copy that is there
// already is used, if nobody but root, us and the process's user could have written it. An error says why
// not.
base::Result<std::string> copy_agent(const diagnostics::Process& process, const std::string& library,
                                     const base::Fd& folder);

}  // namespace walkabout::cli
