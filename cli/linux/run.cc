#include "cli/linux/run.h"

#include <signal.h>

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error_line.h"
#include "cli/linux/outputs.h"
#include "cli/linux/progress.h"
#include "cli/linux/stop_timeout.h"
#include "collect/collector.h"
#include "console/exit_codes.h"
#include "console/linux/interrupts.h"
#include "console/numbers.h"
#include "launch/agent_path.h"
#include "launch/loading.h"
#include "launch/missed_children.h"
#include "launch/session_dir.h"
#include "launch/target.h"

namespace walkabout::cli {
namespace {

constexpr int kRunPollMs = 100;
constexpr uint64_t kSecondRequestNs = 500'000'000;
constexpr uint64_t kAfterCommandNs = 2'000'000'000;  // for processes that end behind the command
constexpr StopTimeout kLeaving{3'000'000'000};       // for agents of those that do not, which are let go
constexpr uint64_t kLateAgentNs = 500'000'000;       // for the first of them to come

base::Result<Environment> environment(const RunOptions& o, const std::string& agent,
                                      const std::string& socket) {
  base::Result<Environment> all = o.changes_methods() ? counting_environment(agent, variable)
                                  : o.trace_all       ? hooking_environment(agent, variable)
                                                      : loading_environment(agent, o.beside, variable);
  if (!all.ok()) return all;
  for (auto& setting : agent_settings(o, socket)) all->push_back(std::move(setting));
  if (!o.lines) return all;
  for (auto& setting : inlining_environment(variable)) all->push_back(std::move(setting));
  return all;
}

std::set<pid_t> recorded(Collector& collector) {
  std::set<pid_t> pids;
  for (const auto& receiver : collector.receivers()) pids.insert(receiver->pid());
  return pids;
}

struct Collected {
  TargetEnd end;
  std::vector<pid_t> let_go;  // what outlived the command: its recording ended, and it goes on
};

// Until the command has ended and its agents with it.
Collected collect(Target& target, Collector& collector, MissedChildren* missed, bool calls) {
  Progress progress(calls ? Live::kNothing : Live::kSamples);
  std::optional<TargetEnd> end;
  uint64_t ended_ns = 0;
  std::vector<pid_t> let_go;
  int seen_interrupts = 0;
  uint64_t first_interrupt_ns = 0;
  int end_fd = target.end_fd();
  for (;;) {
    // Once only: a process under a tracer has ended long before we can take its end.
    if (collector.poll(kRunPollMs, end_fd)) end_fd = -1;
    progress.show(collector.receivers());
    if (missed != nullptr && !end) missed->look(recorded(collector), base::monotonic_ns());
    if (const int s = take_signal_sent_to_us(); s != 0) target.send(s);
    if (const int n = interrupts(); n != seen_interrupts) {
      const uint64_t now = base::monotonic_ns();
      // Asked twice, and not by one request that came on two ways: it does not want to end by itself.
      if (first_interrupt_ns != 0 && now - first_interrupt_ns > kSecondRequestNs) target.send(SIGKILL);
      if (first_interrupt_ns == 0) first_interrupt_ns = now;
      seen_interrupts = n;
    }
    if (!end) {
      end = target.poll();
      if (end) ended_ns = base::monotonic_ns();
    }
    if (!end) continue;
    const uint64_t now_ns = base::monotonic_ns();
    const uint64_t since_end_ns = now_ns - ended_ns;
    if (since_end_ns > kAfterCommandNs) {
      for (const pid_t pid : collector.request_detach_of_all()) let_go.push_back(pid);
    }
    if (kLeaving.is_over(now_ns, ended_ns + kAfterCommandNs, collector.last_came_ns())) break;
    if (collector.connected() || (collector.receivers().empty() && since_end_ns < kLateAgentNs)) continue;
    collector.poll(0);  // one that has come just now
    if (!collector.connected()) break;
  }
  progress.clear();
  return {*end, std::move(let_go)};
}

std::string sentence_of(const std::vector<pid_t>& let_go) {
  if (let_go.empty()) return {};
  std::string pids;
  for (const pid_t pid : let_go) pids += (pids.empty() ? "" : ", ") + std::to_string(pid);
  return base::error_line("processes that outlive the command were let go, and go on: " + pids);
}

std::string left_out(size_t processes, bool by_option) {
  if (processes == 0) return {};
  return base::error_line(
      grouped(processes) + (processes == 1 ? " other .NET process was" : " other .NET processes were") +
      " left out" + (by_option ? " (--no-children)" : ": -o has no %pid, and each needs files of its own"));
}

}  // namespace

int run(const RunOptions& requested) {
  RunOptions o = requested;
  if (base::Status s = complete(&o); !s.ok()) return fail(kUsage, s.message());
  const bool pid_missing = o.rotation && !o.rotation->pattern.has_pid();
  if (o.children && pid_missing)
    return fail(kUsage, "--children with --every needs %pid in -o: each process has files of its own");
  const bool children = o.children || !(o.no_children || pid_missing);
  const base::Result<std::string> agent = agent_path();
  if (!agent.ok()) return fail(kFailure, agent.message());
  if (base::Status s = check_agent_is_ours(*agent); !s.ok()) return fail(kUsage, s.message());
  base::Result<SessionDir> session = SessionDir::create();
  if (!session.ok()) return fail(kFailure, session.message());
  base::Result<Collector> collector = Collector::listen(session->path(), children);
  if (!collector.ok()) return fail(kFailure, collector.message());
  if (o.redact) collector->redact();
  const base::Result<Environment> extra = environment(o, *agent, collector->socket_path());
  if (!extra.ok()) return fail(kUsage, extra.message());
  if (o.rotation) collector->rotate(*o.rotation);
  watch_interrupts();
  base::Result<Target> target = Target::start(o.command, *extra);
  if (!target.ok()) return fail(kCannotStart, target.message());
  MissedChildren missed(target->pid(), o.redact);
  const auto [end, let_go] =
      collect(*target, *collector, children ? &missed : nullptr, o.changes_methods() || o.trace_all);
  if (collector->receivers().empty()) {
    fail(kFailure,
         "nothing was recorded: no .NET runtime (8 or later) started the agent in '" + o.command[0] +
             "'; is it a .NET program, are its diagnostics on (DOTNET_EnableDiagnostics), and does it "
             "print a line of walkabout's above?");
    print_stderr(missed_text(missed.found({})));
    return end.exit_code != 0 ? end.exit_code : kFailure;
  }
  const Missed unrecorded = missed.found(recorded(*collector));
  Written all = o.rotation ? end_files(o, collector->receivers())
                           : write_outputs(o, collector->receivers(), unrecorded, *session);
  if (o.rotation) all.text += missed_text(unrecorded);
  print_stderr(all.text + sentence_of(let_go) + left_out(collector->turned_away(), o.no_children));
  return end.exit_code == 0 && !all.all ? kFailure : end.exit_code;
}

void add_run(CommandLine& line) {
  auto options = std::make_shared<RunOptions>();
  Verb verb = line.verb("run", "run a command and profile it");
  add_profiling_options(verb, options.get());
  verb.flag("--no-children", options->no_children,
            "profile only the first .NET process, and none that it starts");
  verb.flag("--children", options->children, "").hidden();  // what is so anyway
  verb.flag("--beside", options->beside,
            "leave the profiler slot to the profiler that the environment names, such as an APM agent's, "
            "and profile next to it");
  verb.option("command", options->command, "the command and its arguments, after --").required();
  verb.footer(
      "Examples:\n"
      "  walkabout run -- dotnet app.dll\n"
      "  walkabout run -o app.html -o app.walk -i 1ms -- dotnet app.dll --port 5000\n"
      "  walkabout run -o build.walk -o build.html -- dotnet build\n"
      "  walkabout run --beside -- dotnet app.dll       next to an APM agent\n"
      "  walkabout run --every 60s --keep 24 --budget 1% -o 'out/%host-%pid-%t.walk' -- dotnet app.dll\n"
      "                                                 for days; each file is whole (docs/continuous.md)\n"
      "Every .NET process that the command starts is profiled, and all are one picture; build.walk is then "
      "an "
      "index of\n"
      "the recordings in build.walk.d. Processes that outlive the command are let go when it ends.\n"
      "With --beside the agent is a notification profiler: samples, stacks, names and --oracle are the same "
      "as without;\n"
      "what the runtime refuses to such a profiler (changing code, enter and leave hooks) walkabout does not "
      "use.\n"
      "Exit code: the command's own (128 + signal when one ended it); 1 when nothing could be recorded or "
      "written,\n"
      "2 for a wrong option, when another profiler is set and --beside is not, or when others could replace "
      "the agent,\n"
      "127 when the command cannot "
      "be started.");
  verb.action([options] { return run(*options); });
}

}  // namespace walkabout::cli
