// Loading a profiler into a running process through its diagnostics port, and what it means when that is
// refused.
#pragma once

#include <string>

#include "diagnostics/port.h"

namespace walkabout::diagnostics {

inline constexpr int kOldestRuntime = 8;  // .NET; older ones lack what the agent needs

// The version of the runtime behind the port ("10.0.1"; empty if it does not say). An error when it is too
// old to be attached to, or does not answer.
base::Result<std::string> runtime_version(const Port& port, GoOn go_on = always);
base::Status check_runtime(const Port& port, GoOn go_on = always);

struct Attach {
  std::string clsid;  // "8B2F5D0C-…"
  std::string agent;  // the library's path as the process sees it
  std::string client_data;
};
base::Result<Request> send_attach(const Port& port, const Attach& attach);

// Why a refusal may be over in a moment.
enum class Passing {
  kNo,
  kStarting,  // the runtime, still
  kLeaving,   // an earlier profiler is asked to let go and has not yet
  kTaken,     // a profiler is there; perhaps one that leaves
};
Passing passing(uint32_t hresult);
// The runtime would have taken the agent, but that gave up.
bool is_given_up(uint32_t hresult);
// A sentence for the user.
base::Status why_refused(uint32_t hresult, const Process& process);

}  // namespace walkabout::diagnostics
