#include "check/environment_check.h"

#include <unistd.h>

#include "diagnostics/process.h"
#include "launch/loading.h"

namespace walkabout::cli {
namespace {

using diagnostics::Process;

// Of these names, those that are set.
std::string set_names(const Process& process, std::initializer_list<const char*> names) {
  std::string all;
  for (const char* name : names) {
    if (!diagnostics::environment_value(process, name).empty())
      all += (all.empty() ? "" : ", ") + std::string(name);
  }
  return all;
}

CheckResult profiler(const Process& process, Whose whose) {
  const std::string names =
      set_names(process, {"CORECLR_ENABLE_PROFILING", "CORECLR_PROFILER", "CORECLR_PROFILER_PATH",
                          "CORECLR_PROFILER_PATH_64", "CORECLR_ENABLE_NOTIFICATION_PROFILERS",
                          "CORECLR_NOTIFICATION_PROFILERS"});
  if (names.empty()) return {Verdict::kOk, "profiler", "the environment names no profiler", ""};
  const std::string clsid = diagnostics::environment_value(process, "CORECLR_PROFILER");
  if (!is_on(diagnostics::environment_value(process, "CORECLR_ENABLE_PROFILING")) || clsid.empty())
    return {Verdict::kOk, "profiler",
            "the environment names a profiler, but none in the first place (" + names + ")", ""};
  if (whose == Whose::kShell && is_our_clsid(clsid))
    return {Verdict::kOk, "profiler", "the environment names walkabout's own agent, as under `walkabout run`",
            ""};
  if (whose == Whose::kShell) {
    return {Verdict::kWarn, "profiler",
            "another profiler is set (" + names + "): `walkabout run` does not push it out",
            "`walkabout run --beside` to have both"};
  }
  if (is_our_clsid(clsid))
    return {Verdict::kNo, "profiler", "it was started under walkabout: the agent is in it already",
            "wait for the end of that run"};
  return {Verdict::kOk, "profiler",
          "it was started with another profiler (" + names + "): attach comes next to it", ""};
}

// Settings named EnableDiagnostics… that are 0; the one without suffix switches all off.
std::string switched_off(const Process& process, const char* part) {
  for (const std::string& setting :
       {std::string("EnableDiagnostics"), std::string("EnableDiagnostics_") + part}) {
    if (diagnostics::clr_setting(process, setting) != "0") continue;
    const std::string name = "DOTNET_" + setting;
    return diagnostics::environment_value(process, name).empty() ? "COMPlus_" + setting : name;
  }
  return {};
}

CheckResult diagnostics_settings(const Process& process, Whose whose) {
  const bool all_off = diagnostics::clr_setting(process, "EnableDiagnostics") == "0";
  // The profilers' own switch is looked at when a runtime starts, not when one is attached to.
  if (const std::string name = switched_off(process, "Profiler");
      !name.empty() && (all_off || whose == Whose::kShell))
    return {Verdict::kNo, "diagnostics", name + " is 0: the runtime takes no profiler",
            "start the program without it"};
  if (const std::string name = switched_off(process, "IPC"); !name.empty()) {
    return {Verdict::kWarn, "diagnostics", name + " is 0: the runtime cannot be attached to",
            "start the program without it, or under `walkabout run`"};
  }
  return {Verdict::kOk, "diagnostics", "the environment does not switch them off", ""};
}

}  // namespace

CheckResults check_environment(const std::string& block, Whose whose) {
  Process process;
  process.environment = block;
  return {profiler(process, whose), diagnostics_settings(process, whose)};
}

std::string own_environment() {
  std::string block;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    block += std::string(*entry) + '\0';
  return block;
}

}  // namespace walkabout::cli
