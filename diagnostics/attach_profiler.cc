#include "diagnostics/attach_profiler.h"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "clr/abi/hresults.h"
#include "diagnostics/no_port.h"

namespace walkabout::diagnostics {
namespace {

constexpr int kTimeoutMs = 5000;
// The runtime's parameter of that name; the runtimes attached to here do not wait (LoadProfilerForAttach).
constexpr uint32_t kAttachTimeoutMs = 10'000;
// The protocol's own errors. Source: ds-ipc-pal-types.h (DS_IPC_E_*).
constexpr uint32_t kUnknownCommand = 0x80131385;
constexpr uint32_t kNotSupported = 0x80131515;
constexpr uint32_t kNotEnoughMemory = 0x80070008;  // of Windows: ERROR_NOT_ENOUGH_MEMORY

uint32_t code(clr::HRESULT hresult) { return static_cast<uint32_t>(hresult); }

base::Status too_old(const std::string& version) {
  return base::Status::error("the process runs .NET " + version + ": too old, " +
                             std::to_string(kOldestRuntime) + " or later is needed");
}

// Whose profiler holds the place, if its environment says so.
std::string other_profiler(const Process& process) {
  for (const char* prefix : {"CORECLR_", "COR_"}) {
    for (const char* name : {"PROFILER_PATH_64", "PROFILER_PATH", "PROFILER"}) {
      const std::string variable = std::string(prefix) + name;
      if (!environment_value(process, variable).empty()) return " (see its " + variable + ")";
    }
  }
  return {};
}

}  // namespace

base::Result<std::string> runtime_version(const Port& port, GoOn go_on) {
  base::Result<Request> request = port.send(kProcessInfo2, {});
  if (!request.ok()) return request.status();
  const base::Result<Reply> reply = request->wait(kTimeoutMs, go_on);
  if (!reply.ok()) return reply.status();
  if (reply->hresult == kUnknownCommand) return too_old("5 or earlier");
  if (reply->hresult != 0) return std::string();  // not asked for its age, but it may be attached to
  const base::Result<ProcessInfo> info = parse_process_info(reply->payload);
  if (!info.ok()) return info.status();
  if (std::atoi(info->version.c_str()) < kOldestRuntime) return too_old(info->version);
  return info->version;
}

base::Status check_runtime(const Port& port, GoOn go_on) { return runtime_version(port, go_on).status(); }

base::Result<Request> send_attach(const Port& port, const Attach& attach) {
  const std::array<uint8_t, 16> guid = guid_bytes(attach.clsid);
  PayloadWriter payload;
  payload.number(kAttachTimeoutMs)
      .bytes({reinterpret_cast<const char*>(guid.data()), guid.size()})
      .string(attach.agent)
      .number(static_cast<uint32_t>(attach.client_data.size()))
      .bytes(attach.client_data);
  return port.send(kAttachProfiler, payload.done());
}

Passing passing(uint32_t hresult) {
  if (hresult == code(clr::CORPROF_E_RUNTIME_UNINITIALIZED) ||
      hresult == code(clr::CORPROF_E_NOT_YET_AVAILABLE))
    return Passing::kStarting;
  if (hresult == code(clr::CORPROF_E_PROFILER_DETACHING)) return Passing::kLeaving;
  return hresult == code(clr::CORPROF_E_PROFILER_ALREADY_ACTIVE) ? Passing::kTaken : Passing::kNo;
}

bool is_given_up(uint32_t hresult) { return hresult == code(clr::CORPROF_E_PROFILER_CANCEL_ACTIVATION); }

base::Status why_refused(uint32_t hresult, const Process& process) {
  const std::string who = "process " + std::to_string(process.pid);
  if (hresult == code(clr::CORPROF_E_PROFILER_ALREADY_ACTIVE) && has_agent(process))
    return base::Status::error(who +
                               " has a profiler already: another walkabout records it (or leaves it just "
                               "now); try again when that is over");
  if (hresult == code(clr::CORPROF_E_PROFILER_ALREADY_ACTIVE)) {
    return base::Status::error(
        who + " has a profiler already" + other_profiler(process) +
        ", and the runtime takes only one at a time; at its next start `walkabout run --beside` works "
        "next to another one");
  }
  if (hresult == code(clr::CORPROF_E_PROFILER_DETACHING) && has_agent(process))
    return base::Status::error("another walkabout counts the calls of " + who +
                               ", or leaves it just now; try again when that is over");
  if (hresult == code(clr::CORPROF_E_PROFILER_DETACHING))
    return base::Status::error("an earlier profiler is still leaving " + who +
                               "; try again in a few seconds");
  if (passing(hresult) == Passing::kStarting)
    return base::Status::error("the runtime of " + who +
                               " is still starting (or waits to be resumed); try again in a moment");
  if (hresult == kUnknownCommand || hresult == kNotSupported) {
    return base::Status::error(who + (is_native_aot(process)
                                          ? " is a native (AOT) .NET program: its runtime takes no profiler; "
                                            "perf can profile it"
                                          : " has a runtime that takes no profiler while it runs"));
  }
  if (hresult == kNotEnoughMemory)
    return base::Status::error("the runtime of " + who +
                               " has no memory or no thread to be had for an attach: is its user's limit of "
                               "processes (ulimit -u) or its container's reached?");
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", hresult);
  return base::Status::error("the runtime of " + who + " refused the agent (" + text + ")");
}

}  // namespace walkabout::diagnostics
