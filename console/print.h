// What walkabout says, on standard error (causes, summaries) and standard output (reports). Nothing here
// throws, and nothing that cannot be written changes what walkabout does or how it ends, but that a report
// which could not be printed is an error: a full disk, a closed descriptor, a pipe without a reader. A
// descriptor that does not block is waited for some seconds. One thread.
#pragma once

#include <string_view>

#include "base/result.h"

namespace walkabout::cli {

// On standard error, as it is. Where it blocks, a signal ends the wait.
void print_stderr(std::string_view text);
// The same while a program is recorded: only what is taken at once.
void try_print_stderr(std::string_view text);

// On standard output.
void print(std::string_view text);
// Ok when all that was printed is out; else the cause of the first that is not.
base::Status printed();

}  // namespace walkabout::cli
