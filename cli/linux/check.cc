#include "cli/linux/check.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "check/agent_check.h"
#include "check/command_check.h"
#include "check/environment_check.h"
#include "check/machine_check.h"
#include "check/process_check.h"
#include "check/runtimes.h"
#include "console/exit_codes.h"
#include "diagnostics/process.h"
#include "launch/agent_path.h"

namespace walkabout::cli {
namespace {

// The process meant by a target that is one number.
std::optional<pid_t> pid_of(const std::vector<std::string>& target) {
  if (target.size() != 1) return std::nullopt;
  const std::string& text = target[0];
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return pid;
}

void append(CheckResults more, CheckResults* to) {
  for (CheckResult& f : more) to->push_back(std::move(f));
}

void add_agent(const diagnostics::Process* process, CheckResults* to) {
  const base::Result<std::string> agent = agent_path();
  if (!agent.ok()) return to->push_back(result_of(Verdict::kNo, "agent", agent.status()));
  to->push_back(check_agent_file(*agent));
  if (process != nullptr) to->push_back(check_agent_reach(*process, *agent));
}

// What a new process would find, started from here.
CheckReport check_here(const KernelFolders& folders) {
  const ProcessFacts self = process_facts(folders, "self");
  CheckReport result{probe_engine(), machine_facts(folders), {}};
  result.findings = check_engine(result.probe, result.machine, self.seccomp_filter, false);
  append(check_limits(result.probe, self), &result.findings);
  result.findings.push_back(check_signals(result.probe, self));
  add_agent(nullptr, &result.findings);
  append(check_environment(own_environment(), Whose::kShell), &result.findings);
  const std::vector<Runtime> runtimes = runtimes_in(dotnet_roots());
  result.findings.push_back(check_runtimes(runtimes));
  if (!runtimes.empty())
    result.findings.push_back(check_symbols(runtimes.back().folder + "/libcoreclr.so", {}));
  return result;
}

CheckReport check_pid(pid_t pid, const KernelFolders& folders) {
  const ProcessFacts self = process_facts(folders, "self");
  CheckReport result{probe_engine(), machine_facts(folders), {}};
  const base::Result<diagnostics::Process> process = diagnostics::look_at(pid);
  if (!process.ok()) {
    result.findings.push_back(result_of(Verdict::kNo, "process", process.status()));
    return result;
  }
  const ProcessFacts facts = process_facts(folders, std::to_string(pid));
  const bool foreign_filter = facts.seccomp_filter && !self.seccomp_filter;
  result.probe = probe_for(result.probe, result.machine, self, facts);
  result.findings = check_process(*process, facts, folders);
  const bool stopped = count(result.findings, Verdict::kNo) > 0 && (facts.state == 'T' || facts.state == 't');
  if (!stopped) append(check_runtime_of(*process, folders), &result.findings);
  append(check_environment(process->environment, Whose::kProcess), &result.findings);
  append(check_engine(result.probe, result.machine, self.seccomp_filter, foreign_filter), &result.findings);
  append(check_limits(result.probe, facts), &result.findings);
  result.findings.push_back(check_signals(result.probe, facts));
  add_agent(&*process, &result.findings);
  return result;
}

CheckReport check_target(const std::vector<std::string>& target) {
  const KernelFolders folders;
  if (const std::optional<pid_t> pid = pid_of(target); pid) return check_pid(*pid, folders);
  CheckReport result = check_here(folders);
  if (target.empty()) return result;
  const char* search = ::getenv("PATH");
  CheckResults all = check_command(target, search != nullptr ? search : "/bin:/usr/bin");
  append(std::move(result.findings), &all);
  result.findings = std::move(all);
  return result;
}

const char* name_of(Verdict verdict) {
  return verdict == Verdict::kOk ? "ok" : verdict == Verdict::kWarn ? "warn" : "no";
}

std::string engine_name(const EngineProbe& probe) {
  return probe.perf_error == 0 ? "perf" : probe.timer_error == 0 ? "timer" : "";
}

}  // namespace

std::string check_text(const CheckReport& result) {
  std::string out;
  for (const CheckResult& f : result.findings) {
    out += fmt::format("{:<5} {:<12} {}{}{}\n", name_of(f.verdict), f.about, f.what,
                       f.remedy.empty() ? "" : "  → ", f.remedy);
  }
  return out;
}

Json check_json(const CheckReport& result) {
  Json json;
  json["can_profile"] = count(result.findings, Verdict::kNo) == 0;
  json["problems"] = count(result.findings, Verdict::kNo);
  json["warnings"] = count(result.findings, Verdict::kWarn);
  json["engine"] = engine_name(result.probe);
  json["kernel_ticks"] =
      result.probe.perf_error == 0 ? result.probe.kernel_ticks : result.probe.timer_error == 0;
  json["rate_cap"] = rate_cap(result.probe, result.machine);
  json["findings"] = Json::array();
  for (const CheckResult& f : result.findings) {
    json["findings"].push_back(
        {{"verdict", name_of(f.verdict)}, {"about", f.about}, {"what", f.what}, {"remedy", f.remedy}});
  }
  return json;
}

int check(const CheckOptions& options) {
  const CheckReport result = check_target(options.target);
  if (options.json) {
    print_json(check_json(result));
  } else {
    print(check_text(result));
  }
  return count(result.findings, Verdict::kNo) == 0 ? kSuccess : kFailure;
}

void add_check(CommandLine& line) {
  auto options = std::make_shared<CheckOptions>();
  Verb verb = line.verb("check", "tell what this machine, a process or a command allows");
  verb.option("target", options->target, "a process by its id, or after -- a command and its arguments")
      .shown_as("PID | -- COMMAND");
  verb.flag("--json", options->json, "for programs (keys: docs/json.md)");
  verb.footer(
      "One line each: ok, warn (it works, but not as well as it could) or no (it prevents profiling), what "
      "it is "
      "about,\n"
      "how it stands, and behind an arrow what to do. Nothing is started or changed. Values of environment "
      "variables are\n"
      "never shown. A command whose name is a number is given with its path: ./123\n"
      "Examples:\n"
      "  walkabout check\n"
      "  walkabout check $(pidof MyService)\n"
      "  walkabout check -- dotnet app.dll\n"
      "  walkabout check --json | jq -r '.findings[] | select(.verdict == \"no\") | .remedy'\n"
      "Exit code: 0 it can be profiled, 1 something prevents it, 2 wrong options.");
  verb.action([options] { return check(*options); });
}

}  // namespace walkabout::cli
