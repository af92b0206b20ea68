#include "check/process_check.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "check/runtimes.h"
#include "diagnostics/attach_profiler.h"
#include "diagnostics/port.h"

namespace walkabout::cli {
namespace {

using diagnostics::Process;

std::string described(const Process& process) {
  std::string what = fmt::format("{} may be looked into", process.pid);
  if (process.own_pid != process.pid) what += fmt::format(", in a container where it is {}", process.own_pid);
  if (!process.same_root) what += ", with other files than ours";
  return what;
}

CheckResult debugger(const ProcessFacts& facts) {
  if (facts.state == 'T' || facts.state == 't')
    return {Verdict::kNo, "debugger", "the process is stopped: its runtime does not answer",
            "kill -CONT its pid, or let the debugger go on"};
  if (facts.tracer != 0) {
    return {Verdict::kWarn, "debugger",
            fmt::format("process {} traces it: every tick stops there first", facts.tracer),
            "detach the debugger"};
  }
  return {Verdict::kOk, "debugger", "none is attached", ""};
}

// libcoreclr.so, or the program itself when the runtime is inside.
std::string runtime_library(const Process& process, const KernelFolders& folders) {
  if (std::string path = mapped_file(folders, process.pid, "/libcoreclr.so"); !path.empty()) return path;
  std::error_code error;
  return std::filesystem::read_symlink(fmt::format("{}/{}/exe", folders.proc, process.pid), error).string();
}

}  // namespace

std::string mapped_file(const KernelFolders& folders, pid_t pid, const std::string& name) {
  std::ifstream maps(fmt::format("{}/{}/maps", folders.proc, pid));
  for (std::string line; std::getline(maps, line);) {
    const size_t path = line.find('/');
    if (path != std::string::npos && line.find(name, path) != std::string::npos) return line.substr(path);
  }
  return {};
}

CheckResults check_process(const Process& process, const ProcessFacts& facts, const KernelFolders& folders) {
  CheckResults found{{Verdict::kOk, "process", described(process), ""}, debugger(facts)};
  if (!mapped_file(folders, process.pid, "/ld-musl-").empty()) {
    found.push_back({Verdict::kNo, "libc", "the process uses musl; the agent needs glibc",
                     "an image with glibc (Debian, Ubuntu, …)"});
  }
  return found;
}

CheckResults check_runtime_of(const Process& process, const KernelFolders& folders) {
  const base::Result<diagnostics::Port> port = diagnostics::Port::of(process);
  if (!port.ok()) return {result_of(Verdict::kNo, "port", port.status())};
  CheckResults found{{Verdict::kOk, "port", "the runtime's diagnostics socket takes connections", ""}};
  const base::Result<std::string> version = diagnostics::runtime_version(*port);
  if (!version.ok()) {
    found.push_back(result_of(Verdict::kNo, "runtime", version.status()));
    return found;
  }
  found.push_back(
      {Verdict::kOk, "runtime", version->empty() ? ".NET, it does not say which" : ".NET " + *version, ""});
  found.push_back(check_events(*version));
  found.push_back(check_callbacks());
  const std::string library = runtime_library(process, folders);
  if (!library.empty()) found.push_back(check_symbols(library, symbols::FileRoot::of_process(process.pid)));
  return found;
}

}  // namespace walkabout::cli
