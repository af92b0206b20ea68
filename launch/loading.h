// How a command's environment makes the CLR load the agent: as the profiler, or (--beside) as one more that
// is only notified, next to a profiler that has the slot already, as an APM agent's has.
// Thread rule: none, no state. Source: the profiling API's loader (src/coreclr/vm/profilinghelper.cpp), and
// what .NET 8, 9 and 10 were seen to do: CORECLR_NOTIFICATION_PROFILERS is a list of "path={guid};", the last
// semicolon too (.NET 10 loads nothing without it), heeded only when CORECLR_ENABLE_NOTIFICATION_PROFILERS is
// not 0 and set. A list for one architecture (…_64) replaces the general one, as CORECLR_PROFILER_PATH_64
// does.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "launch/target.h"

namespace walkabout::cli {

// The value of an environment variable; empty when there is none.
using Variables = std::function<std::string(const char* name)>;
std::string variable(const char* name);  // of this process

// Whether a switch of the CLR is on: it reads numbers as hexadecimal.
bool is_on(const std::string& value);

// Is a profiler named so ("{guid}", in letters of any case) the agent?
bool is_our_clsid(std::string_view clsid);

// Variables to set for the command. An error says what to do instead; it names variables, never their
// values.
base::Result<Environment> loading_environment(const std::string& agent, bool beside,
                                              const Variables& variables);

// Of a command whose calls are counted: the profiler that rewrites methods has the main slot, and the agent
// is notified next to it. An error where another profiler has it.
base::Result<Environment> counting_environment(const std::string& agent, const Variables& variables);

// Of a command every call of which is traced: the agent has the main slot. An error where another profiler
// has it.
base::Result<Environment> hooking_environment(const std::string& agent, const Variables& variables);

// What makes the runtime's compiler say which methods it has inlined; empty where the user has set it.
Environment inlining_environment(const Variables& variables);

}  // namespace walkabout::cli
