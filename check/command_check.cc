#include "check/command_check.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

#include "check/program_kind.h"
#include "diagnostics/attach_profiler.h"

namespace walkabout::cli {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

CheckResult missing(const std::string& name) {
  if (name.find('/') != std::string::npos && ::access(name.c_str(), F_OK) == 0)
    return {Verdict::kNo, "command", "'" + name + "' may not be executed",
            "chmod +x, or start it with `dotnet`"};
  return {Verdict::kNo, "command", "'" + name + "' is not there or not on PATH",
          "check the command after --"};
}

// What `dotnet` is given: its own options come first ("--roll-forward Major"), then a program or a verb of
// the SDK.
std::string hosted_program(const std::vector<std::string>& command) {
  static const std::set<std::string> verbs = {"build",   "run",  "test", "publish", "watch",
                                              "msbuild", "pack", "tool", "vstest",  "restore"};
  for (size_t i = 1; i < command.size(); ++i) {
    if (ends_with(command[i], ".dll") || ends_with(command[i], ".exe") || verbs.count(command[i]) != 0)
      return command[i];
  }
  return {};
}

// The runtime it asks for, which another may stand in for (roll forward).
void add_wanted(const std::string& program, CheckResults* found) {
  const int version = wanted_runtime(program);
  if (version == 0) return;
  if (version >= diagnostics::kOldestRuntime) {
    found->push_back({Verdict::kOk, "asks", fmt::format("it asks for .NET {}", version), ""});
    return;
  }
  found->push_back(
      {Verdict::kWarn, "asks",
       fmt::format("it asks for .NET {}: {} or later is needed", version, diagnostics::kOldestRuntime),
       "DOTNET_ROLL_FORWARD=Major runs it on a later one"});
}

void check_hosted(const std::vector<std::string>& command, CheckResults* found) {
  const std::string program = hosted_program(command);
  if (program.empty()) {
    found->push_back({Verdict::kWarn, "program",
                      "dotnet is given neither a program (.dll) nor a verb known here",
                      "walkabout check -- dotnet app.dll"});
    return;
  }
  if (!ends_with(program, ".dll") && !ends_with(program, ".exe")) {
    found->push_back(
        {Verdict::kOk, "program",
         "dotnet " + program + ": the work may be done by child processes, which are profiled too", ""});
    return;
  }
  if (::access(program.c_str(), R_OK) != 0) {
    found->push_back(
        {Verdict::kNo, "program", "'" + program + "' cannot be read", "check the path after dotnet"});
    return;
  }
  found->push_back({Verdict::kOk, "program", program + ", on the dotnet host", ""});
  add_wanted(program, found);
}

}  // namespace

CheckResults check_command(const std::vector<std::string>& command, const std::string& search) {
  const std::string path = find_program(command[0], search);
  if (path.empty()) return {missing(command[0])};
  CheckResults found{{Verdict::kOk, "command", path, ""}};
  switch (program_kind(path)) {
    case ProgramKind::kDotnetHost:
      check_hosted(command, &found);
      break;
    case ProgramKind::kAppHost:
      found.push_back({Verdict::kOk, "program", "a .NET program's own starter", ""});
      add_wanted(path, &found);
      break;
    case ProgramKind::kSingleFile:
      found.push_back({Verdict::kOk, "program", "a single file with the .NET runtime inside", ""});
      break;
    case ProgramKind::kNativeAot:
      found.push_back({Verdict::kNo, "program",
                       "a native (AOT) .NET program: there is no runtime to load an agent",
                       "perf can profile it"});
      break;
    case ProgramKind::kScript:
      found.push_back({Verdict::kWarn, "program",
                       "a script: the .NET programs that it starts are profiled, if there are any", ""});
      break;
    case ProgramKind::kOther:
      found.push_back({Verdict::kWarn, "program",
                       "not a .NET program itself: those that it starts are profiled, if there are any", ""});
      break;
  }
  return found;
}

}  // namespace walkabout::cli
