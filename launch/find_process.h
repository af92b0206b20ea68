// The process that `attach` is asked for by a person: by its id, or by its name. Reads /proc (proc(5)).
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "launch/proc_facts.h"

namespace walkabout::cli {

// who: a PID, or what exactly one other process is called: its program's file name, the name the system shows
// for it, or the program that `dotnet` was given ("MyService.dll", with or without the suffix). Whether there
// is a process of that id is not looked at.
base::Result<pid_t> find_process(const std::string& who, const KernelFolders& folders = {});

}  // namespace walkabout::cli
