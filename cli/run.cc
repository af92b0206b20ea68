#include "cli/run.h"

#include <signal.h>
#include <stdlib.h>

#include <optional>

#include "base/clock.h"
#include "cli/agent_path.h"
#include "cli/collector.h"
#include "cli/exit_codes.h"
#include "cli/interrupts.h"
#include "cli/live_line.h"
#include "cli/loading.h"
#include "cli/outputs.h"
#include "cli/session_dir.h"
#include "cli/target.h"

namespace walkabout::cli {
namespace {

constexpr int kPollMs = 100;
constexpr uint64_t kSecondWishNs = 500'000'000;
constexpr uint64_t kAfterExitNs = 2'000'000'000;  // for agents whose process outlives the command
constexpr uint64_t kLateAgentNs = 500'000'000;    // for the first of them to come

std::string variable(const char* name) {
  const char* value = ::getenv(name);
  return value != nullptr ? value : "";
}

base::Result<Environment> environment(const RunOptions& o, const std::string& agent,
                                      const std::string& socket) {
  base::Result<Environment> all = loading_environment(agent, o.beside, variable);
  if (!all.ok()) return all;
  for (auto& setting : agent_settings(o, socket)) all->push_back(std::move(setting));
  return all;
}

// Until the command has ended and its agents with it.
TargetEnd collect(Target& target, Collector& collector) {
  LiveLine line;
  std::optional<TargetEnd> end;
  uint64_t ended_ns = 0;
  int seen_interrupts = 0;
  uint64_t first_interrupt_ns = 0;
  int end_fd = target.end_fd();
  for (;;) {
    // Once only: a process under a tracer has ended long before we can take its end.
    if (collector.poll(kPollMs, end_fd)) end_fd = -1;
    uint64_t samples = 0, dropped = 0;
    for (const auto& intake : collector.intakes()) samples += intake->samples(), dropped += intake->dropped();
    line.show(samples, dropped);
    if (const int s = take_signal_sent_to_us(); s != 0) target.send(s);
    if (const int n = interrupts(); n != seen_interrupts) {
      const uint64_t now = base::monotonic_ns();
      // Asked twice, and not by one wish that came on two ways: it does not want to end by itself.
      if (first_interrupt_ns != 0 && now - first_interrupt_ns > kSecondWishNs) target.send(SIGKILL);
      if (first_interrupt_ns == 0) first_interrupt_ns = now;
      seen_interrupts = n;
    }
    if (!end) {
      end = target.poll();
      if (end) ended_ns = base::monotonic_ns();
    }
    if (!end) continue;
    const uint64_t since_end_ns = base::monotonic_ns() - ended_ns;
    if (since_end_ns > kAfterExitNs) break;
    if (collector.connected() || (collector.intakes().empty() && since_end_ns < kLateAgentNs)) continue;
    collector.poll(0);  // one that has come just now
    if (!collector.connected()) break;
  }
  line.clear();
  return *end;
}

}  // namespace

int run(const RunOptions& asked) {
  RunOptions o = asked;
  if (base::Status s = complete(&o); !s.ok()) return fail(kUsage, s.message());
  if (o.children && o.rotation && !o.rotation->pattern.has_pid())
    return fail(kUsage, "--children with --every needs %pid in -o: each process has files of its own");
  const base::Result<std::string> agent = agent_path();
  if (!agent.ok()) return fail(kFailure, agent.message());
  if (base::Status s = check_agent_is_ours(*agent); !s.ok()) return fail(kUsage, s.message());
  base::Result<SessionDir> session = SessionDir::create();
  if (!session.ok()) return fail(kFailure, session.message());
  base::Result<Collector> collector = Collector::listen(session->path(), o.children);
  if (!collector.ok()) return fail(kFailure, collector.message());
  if (o.redact) collector->redact();
  const base::Result<Environment> extra = environment(o, *agent, collector->socket_path());
  if (!extra.ok()) return fail(kUsage, extra.message());
  if (o.rotation) collector->rotate(*o.rotation);
  watch_interrupts();
  base::Result<Target> target = Target::start(o.command, *extra);
  if (!target.ok()) return fail(kCannotStart, target.message());
  const TargetEnd end = collect(*target, *collector);
  if (collector->intakes().empty()) {
    fail(kFailure, "nothing was recorded: no .NET runtime (8 or later) started the agent in '" +
                       o.command[0] +
                       "'; is it a .NET program, and does it print a line of walkabout's above?");
    return end.exit_code != 0 ? end.exit_code : kFailure;
  }
  Written all;
  for (size_t i = 0; i < collector->intakes().size(); ++i) {
    Intake& intake = *collector->intakes()[i];
    const Written one = o.rotation ? end_files(o, intake) : write_outputs(o, intake, i, *session);
    all.all &= one.all;
    all.text += one.text;
  }
  say(all.text);
  return end.exit_code == 0 && !all.all ? kFailure : end.exit_code;
}

void add_run(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "run a command and profile it");
  add_profiling_options(verb, options.get());
  verb->add_flag("--children", options->children,
                 "profile child processes too (a file each, with the PID in its name)");
  verb->add_flag(
      "--beside", options->beside,
      "leave the profiler slot to the profiler that the environment names, such as an APM agent's, "
      "and profile next to it");
  verb->add_option("command", options->command, "the command and its arguments, after --")->required();
  verb->footer(
      "Examples:\n"
      "  walkabout run -- dotnet app.dll\n"
      "  walkabout run -o app.html -o app.walk -i 1ms -- dotnet app.dll --port 5000\n"
      "  walkabout run --children -o build.html -- dotnet build\n"
      "  walkabout run --beside -- dotnet app.dll       next to an APM agent\n"
      "  walkabout run --every 60s --keep 24 --budget 1% -o 'out/%host-%pid-%t.walk' -- dotnet app.dll\n"
      "                                                 for days; each file is whole (docs/continuous.md)\n"
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
  verb->callback([options, exit_code] { *exit_code = run(*options); });
}

}  // namespace walkabout::cli
