// What `count` and `trace` have in common: methods of a process or of a command are chosen by patterns, and
// what was recorded of them is shown when that has ended.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "cli/linux/profiling.h"
#include "cli/terminal.h"
#include "console/json_out.h"
#include "profile/build/calls.h"
#include "wire/call_records.h"

namespace walkabout::cli {

struct MethodOptions {
  std::vector<std::string> methods, command_line;
  std::string process, duration;
  size_t top = 20;
  bool yes = false;
  bool json = false;
  bool command = false;  // it stands behind --, and is to be started
};

// *options must live as long as the verb. all_of: what is said of methods that match and are too many.
void add_method_options(Verb verb, MethodOptions* options);
// The process or the command: the last of the options.
void add_target_option(Verb verb, MethodOptions* options);

// The agent's: a line each. An error names the pattern that is none.
base::Result<std::string> pattern_lines(const std::vector<std::string>& patterns);

// Records the process or the command to its end. how: what is recorded, and where to; file: the recording
// among it. show: called with the exit code so far where there is a new recording; gives the exit code.
int record_methods(const MethodOptions& options, const ProfilingOptions& how, const std::string& file,
                   const std::function<int(int exit_code)>& show);

// Of a recording without a call, why there is none; empty: there may have been some.
struct NothingRecorded {
  std::string why;
  int exit_code;
};
// Of one process, as it is shown: as text, which is empty where nothing was recorded, or for programs.
struct ShownProcess {
  NothingRecorded nothing;
  std::string text;
  Json json;
};
using ReadProcess =
    std::function<base::Result<ShownProcess>(const std::string& path, const Terminal& terminal)>;
// Prints what a recording, or each that lies beside it, has. A command's own output is not mixed with it.
int show_methods(const MethodOptions& options, const std::string& file, int exit_code,
                 const ReadProcess& read);
// patterns: of those that choose nothing a sentence each. to_do: "to count so many".
NothingRecorded why_nothing(const wire::CallState& state, bool complete, bool any_calls, std::string patterns,
                            const std::string& to_do);

}  // namespace walkabout::cli
