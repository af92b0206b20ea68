// Exit codes of walkabout, and how an error reaches the user. `run` passes the target's own code on instead.
#pragma once

#include <string>

#include "base/error_line.h"
#include "console/print.h"

namespace walkabout::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;    // it could not be done; the cause is on stderr
inline constexpr int kUsage = 2;      // wrong options
inline constexpr int kDifferent = 3;  // verify: there are differences without explanation
inline constexpr int kTooFew = 3;     // cover: fewer lines ran than --fail-under wants
inline constexpr int kCannotStart =
    127;  // run: the command is not there or cannot be executed, as a shell says it

// For the --help of every verb but run.
inline constexpr const char* kExitCodesHelp =
    "Exit code: 0 done, 1 it could not be done (the cause is on stderr), 2 wrong options.";

// Says the cause on stderr and returns the code.
inline int fail(int code, const std::string& message) {
  print_stderr(base::error_line(message));
  return code;
}

}  // namespace walkabout::cli
