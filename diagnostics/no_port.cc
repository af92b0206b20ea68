#include "diagnostics/no_port.h"

#include <fstream>

namespace walkabout::diagnostics {
namespace {

std::string proc(const Process& process, const char* file) {
  return "/proc/" + std::to_string(process.pid) + "/" + file;
}

bool switched_off(const Process& process, std::string* by) {
  for (const char* name : {"EnableDiagnostics", "EnableDiagnostics_IPC"}) {
    if (clr_setting(process, name) == "0") {
      *by = std::string("DOTNET_") + name + "=0";
      return true;
    }
  }
  return false;
}

// Without a dynamic linker no runtime can be loaded into it.
bool is_static(const Process& process) {
  const auto program = symbols::ElfFile::open(proc(process, "exe"));
  return program.ok() && program->section(".interp").scn == nullptr;
}

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kLoadsRuntimeWithinNs = 5 * kSecond;  // on a busy machine
constexpr uint64_t kRuntimeStartsWithinNs = 30 * kSecond;

}  // namespace

bool may_have_port_soon(const Process& process, NoPort what) {
  if (what != NoPort::kNoSocket && what != NoPort::kStale) return false;
  const uint64_t age = age_ns(process);
  if (age > kRuntimeStartsWithinNs || is_native_aot(process)) return false;
  if (std::string by; switched_off(process, &by)) return false;
  // The runtime opens its port before it starts this thread.
  if (has_runtime(process)) return !has_thread(process, ".NET Finalizer");
  return age < kLoadsRuntimeWithinNs && !is_static(process);
}

bool is_native_aot(const symbols::ElfFile& program) {
  return program.section("__managedcode").scn != nullptr;
}

bool is_native_aot(const Process& process) {
  const auto program = symbols::ElfFile::open(proc(process, "exe"));
  return program.ok() && is_native_aot(*program);
}

bool has_runtime(const Process& process) {
  std::ifstream maps(proc(process, "maps"));
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/libcoreclr.so") != std::string::npos || line.find("doublemapper") != std::string::npos)
      return true;
  }
  return false;
}

base::Status why_no_port(const Process& process, NoPort what) {
  const std::string who = "process " + std::to_string(process.pid);
  // A value of the environment is not shown.
  const std::string folder =
      environment_value(process, "TMPDIR").empty() ? "/tmp" : "the folder its TMPDIR names";
  if (is_native_aot(process)) {
    return base::Status::error(
        who +
        " is a native (AOT) .NET program: it has no runtime that an agent could be loaded into; perf "
        "can profile it");
  }
  if (what == NoPort::kForbidden)
    return base::Status::error("the diagnostics socket of " + who +
                               " may not be used by this user; run walkabout as root");
  if (what == NoPort::kForeign)
    return base::Status::error("the diagnostics socket of " + who + " in " + folder +
                               " is not its own: another process or user put it there, and nothing was sent "
                               "to it; find out whose it "
                               "is and remove it, then restart the process");
  if (std::string by; switched_off(process, &by)) {
    const bool port_only = by.find("_IPC") != std::string::npos;
    return base::Status::error("the diagnostics of " + who + " are switched off (" + by +
                               "); start it without that" + (port_only ? ", or under `walkabout run`" : ""));
  }
  if (what == NoPort::kStale) {
    return base::Status::error(
        "the diagnostics socket of " + who + " in " + folder +
        " is stale: nobody listens on it (left over from an earlier process, or this one is ending); "
        "restart the process, or profile it with `walkabout run`");
  }
  if (!has_runtime(process))
    return base::Status::error(who + " is not a .NET program (no runtime is loaded in it)");
  return base::Status::error(
      who + " has no diagnostics socket in " + folder +
      ": was the socket or that folder deleted, or are diagnostics switched off "
      "(DOTNET_EnableDiagnostics)? Restart the process, or profile it with `walkabout run`");
}

}  // namespace walkabout::diagnostics
