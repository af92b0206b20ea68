// What of an environment stands in a profiler's way. Values are looked at, never printed.
#pragma once

#include <string>

#include "check/check_result.h"

namespace walkabout::cli {

enum class Whose {
  kShell,    // what is started from here inherits it
  kProcess,  // it was started with it
};

// block: NAME=VALUE, each ended by a zero byte. Lines: profiler, diagnostics.
CheckResults check_environment(const std::string& block, Whose whose);

// This process's own.
std::string own_environment();

}  // namespace walkabout::cli
