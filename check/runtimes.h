// The .NET runtimes installed on this machine.
#pragma once

#include <string>
#include <vector>

#include "check/check_result.h"
#include "symbols/elf/file_root.h"

namespace walkabout::cli {

struct Runtime {
  std::string version;  // "10.0.1"
  std::string folder;   // has libcoreclr.so
};
// roots: folders `dotnet` may be installed in. Oldest first, each folder once.
std::vector<Runtime> runtimes_in(const std::vector<std::string>& roots);
// DOTNET_ROOT, the folder of the `dotnet` on PATH, what /etc/dotnet/install_location says, the usual ones.
std::vector<std::string> dotnet_roots();

// Line: runtime.
CheckResult check_runtimes(const std::vector<Runtime>& runtimes);
// Line: events. Which of them (--events) a runtime of that version cannot give, or not as well as others.
CheckResult check_events(const std::string& version);
// Line: callbacks. What those of the profiling API cost, which nothing else asks for.
CheckResult check_callbacks();
// Line: symbols. Whether the runtime's own functions have names. library: its libcoreclr.so, or a program
// that has it inside; its path is one of `root`.
CheckResult check_symbols(const std::string& library, const symbols::FileRoot& root);

}  // namespace walkabout::cli
