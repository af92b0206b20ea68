// A running process as `walkabout attach` would find it.
#pragma once

#include <sys/types.h>

#include "check/check_result.h"
#include "diagnostics/process.h"
#include "launch/proc_facts.h"

namespace walkabout::cli {

// Lines: process, debugger, libc.
CheckResults check_process(const diagnostics::Process& process, const ProcessFacts& facts,
                           const KernelFolders& folders);
// Lines: port, runtime, events, callbacks, symbols. Asks the runtime for its version.
CheckResults check_runtime_of(const diagnostics::Process& process, const KernelFolders& folders);

// The path of a mapped file that ends with `name` as the process names it; empty if none is mapped.
std::string mapped_file(const KernelFolders& folders, pid_t pid, const std::string& name);

}  // namespace walkabout::cli
