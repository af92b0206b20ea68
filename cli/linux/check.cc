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
  CheckReport report{probe_engine(), machine_facts(folders), {}};
  report.results = check_engine(report.probe, report.machine, self.seccomp_filter, false);
  append(check_limits(report.probe, self), &report.results);
  report.results.push_back(check_signals(report.probe, self));
  add_agent(nullptr, &report.results);
  append(check_environment(own_environment(), Whose::kShell), &report.results);
  const std::vector<Runtime> runtimes = runtimes_in(dotnet_roots());
  report.results.push_back(check_runtimes(runtimes));
  if (!runtimes.empty()) {
    report.results.push_back(check_events(runtimes.back().version));
    report.results.push_back(check_callbacks());
    report.results.push_back(check_symbols(runtimes.back().folder + "/libcoreclr.so", {}));
  }
  return report;
}

CheckReport check_pid(pid_t pid, const KernelFolders& folders) {
  const ProcessFacts self = process_facts(folders, "self");
  CheckReport report{probe_engine(), machine_facts(folders), {}};
  const base::Result<diagnostics::Process> process = diagnostics::look_at(pid);
  if (!process.ok()) {
    report.results.push_back(result_of(Verdict::kNo, "process", process.status()));
    return report;
  }
  const ProcessFacts facts = process_facts(folders, std::to_string(pid));
  const bool foreign_filter = facts.seccomp_filter && !self.seccomp_filter;
  report.probe = probe_for(report.probe, report.machine, self, facts);
  report.results = check_process(*process, facts, folders);
  const bool stopped = count(report.results, Verdict::kNo) > 0 && (facts.state == 'T' || facts.state == 't');
  if (!stopped) append(check_runtime_of(*process, folders), &report.results);
  append(check_environment(process->environment, Whose::kProcess), &report.results);
  append(check_engine(report.probe, report.machine, self.seccomp_filter, foreign_filter), &report.results);
  append(check_limits(report.probe, facts), &report.results);
  report.results.push_back(check_signals(report.probe, facts));
  add_agent(&*process, &report.results);
  return report;
}

CheckReport check_target(const std::vector<std::string>& target) {
  const KernelFolders folders;
  if (const std::optional<pid_t> pid = pid_of(target); pid) return check_pid(*pid, folders);
  CheckReport report = check_here(folders);
  if (target.empty()) return report;
  const char* search = ::getenv("PATH");
  CheckResults all = check_command(target, search != nullptr ? search : "/bin:/usr/bin");
  append(std::move(report.results), &all);
  report.results = std::move(all);
  return report;
}

const char* name_of(Verdict verdict) {
  return verdict == Verdict::kOk ? "ok" : verdict == Verdict::kWarn ? "warn" : "no";
}

std::string engine_name(const EngineProbe& probe) {
  return probe.perf_error == 0 ? "perf" : probe.timer_error == 0 ? "timer" : "";
}

}  // namespace

std::string check_text(const CheckReport& report) {
  std::string out;
  for (const CheckResult& r : report.results) {
    out += fmt::format("{:<5} {:<12} {}{}{}\n", name_of(r.verdict), r.about, r.what,
                       r.remedy.empty() ? "" : "  → ", r.remedy);
  }
  return out;
}

Json check_json(const CheckReport& report) {
  Json json;
  json["can_profile"] = count(report.results, Verdict::kNo) == 0;
  json["problems"] = count(report.results, Verdict::kNo);
  json["warnings"] = count(report.results, Verdict::kWarn);
  json["engine"] = engine_name(report.probe);
  json["kernel_ticks"] =
      report.probe.perf_error == 0 ? report.probe.kernel_ticks : report.probe.timer_error == 0;
  json["rate_cap"] = rate_cap(report.probe, report.machine);
  json["findings"] = Json::array();
  for (const CheckResult& r : report.results) {
    json["findings"].push_back(
        {{"verdict", name_of(r.verdict)}, {"about", r.about}, {"what", r.what}, {"remedy", r.remedy}});
  }
  return json;
}

int check(const CheckOptions& options) {
  const CheckReport report = check_target(options.target);
  if (options.json) {
    print_json(check_json(report));
  } else {
    print(check_text(report));
  }
  return count(report.results, Verdict::kNo) == 0 ? kSuccess : kFailure;
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
