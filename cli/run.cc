#include "cli/run.h"

#include <errno.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/clock.h"
#include "base/duration.h"
#include "cli/agent_path.h"
#include "cli/collector.h"
#include "cli/exit_codes.h"
#include "cli/live_line.h"
#include "cli/session_dir.h"
#include "cli/summary.h"
#include "cli/target.h"
#include "cli/terminal.h"
#include "formats/format.h"
#include "formats/output_file.h"
#include "profile/load.h"
#include "wire/agent_id.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kSummaryWidth = 120;  // where there is no terminal
constexpr int kPollMs = 100;
constexpr uint64_t kSecondWishNs = 500'000'000;
constexpr uint64_t kAfterExitNs = 2'000'000'000;  // for agents whose process outlives the command

// Signals the user sends to end the run. From a terminal the target gets its own; sent to us alone they are
// passed on.
std::atomic<int> g_interrupts{0};
std::atomic<int> g_to_forward{0};

void on_interrupt(int signal, siginfo_t* info, void*) {
  g_interrupts.fetch_add(1);
  if (info->si_code == SI_USER || info->si_code == SI_QUEUE) g_to_forward.store(signal);
}

void watch_interrupts() {
  struct sigaction action {};
  action.sa_sigaction = on_interrupt;
  action.sa_flags = SA_SIGINFO;
  for (int s : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {
    };  // what is ignored (nohup, a script's background job) stays so, for the target too
    if (::sigaction(s, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      ::sigaction(s, &action, nullptr);
  }
  ::signal(SIGPIPE, SIG_IGN);
}

// Before anything is started: can each output be written, and is its kind known?
base::Status check_outputs(const std::vector<std::string>& outputs) {
  for (const std::string& path : outputs) {
    if (base::Status s = formats::check_suffix(path); !s.ok()) return s;
    fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) folder = ".";
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
      return base::Status::error("cannot write " + path + ": " + folder.string() + ": " + strerror(errno));
    }
    std::error_code error;
    if (fs::is_directory(path, error))
      return base::Status::error("cannot write " + path + ": it is a folder");
  }
  return {};
}

// "10ms" or "99hz" as the agent wants it; empty when it is neither or out of range.
std::string interval_for_agent(const std::string& text) {
  std::optional<uint64_t> ns = base::parse_duration(text);
  if (!ns && text.size() > 2 && text.compare(text.size() - 2, 2, "hz") == 0) {
    const double hz = ::strtod(text.c_str(), nullptr);
    if (hz > 0) ns = static_cast<uint64_t>(1e9 / hz);
  }
  if (!ns || *ns < 100'000 || *ns > 1'000'000'000) return {};
  return std::to_string(*ns) + "ns";
}

Environment environment(const RunOptions& o, const std::string& interval, const std::string& agent,
                        const std::string& socket) {
  return {{"CORECLR_ENABLE_PROFILING", "1"},
          {"CORECLR_PROFILER", std::string("{") + wire::kAgentClsid + "}"},
          {"CORECLR_PROFILER_PATH", agent},
          {"CORECLR_PROFILER_PATH_64", agent},
          {"WALKABOUT_SOCKET", socket},
          {"WALKABOUT_INTERVAL", interval},
          {"WALKABOUT_ENGINE", o.engine},
          {"WALKABOUT_DEPTH", std::to_string(o.depth)},
          {"WALKABOUT_ORACLE", o.oracle ? "1" : "0"}};
}

// Until the command has ended and its agents with it.
TargetEnd collect(Target& target, Collector& collector) {
  LiveLine line;
  std::optional<TargetEnd> end;
  uint64_t ended_ns = 0;
  int seen_interrupts = 0;
  uint64_t first_interrupt_ns = 0;
  for (;;) {
    collector.poll(kPollMs);
    uint64_t samples = 0, dropped = 0;
    for (const auto& intake : collector.intakes()) samples += intake->samples(), dropped += intake->dropped();
    line.show(samples, dropped);
    if (const int s = g_to_forward.exchange(0); s != 0) target.send(s);
    if (const int n = g_interrupts.load(); n != seen_interrupts) {
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
    if (!collector.connected() || base::monotonic_ns() - ended_ns > kAfterExitNs) break;
  }
  collector.poll(0);
  line.clear();
  return *end;
}

// "out.html" of the second process is "out-1234.html".
std::string path_for(const std::string& output, size_t index, pid_t pid) {
  if (index == 0) return output;
  const fs::path path(output);
  std::string name = path.filename().string();
  const size_t dot = name.find('.', 1);
  name.insert(dot == std::string::npos ? name.size() : dot, "-" + std::to_string(pid));
  return (path.parent_path() / name).string();
}

// Whole or not at all: what was recorded stays in `from`, which the session takes away when all is well.
base::Status keep_recording(const std::string& from, const std::string& to) {
  formats::OutputFile file(to);
  base::Status status = file.open();
  if (status.ok()) {
    std::ifstream recording(from, std::ios::binary);
    file.stream() << recording.rdbuf();
    status = recording ? file.commit() : base::Status::error("cannot read " + from);
  }
  return status.ok() ? status : base::Status::error(status.message() + "; the recording stays in " + from);
}

// Every output of one process. Returns false when one could not be written; the others are.
bool write_outputs(const RunOptions& o, Intake& intake, size_t index, SessionDir& session) {
  bool all_written = true;
  auto note = [&](const base::Status& s) {
    if (s.ok()) return;
    fmt::print(stderr, "walkabout: {}\n", s.message());
    all_written = false;
  };
  note(intake.finish());
  if (!intake.trouble().ok()) note(intake.trouble());
  base::Result<profile::Profile> profile = profile::load(intake.path(), {o.unfold});
  if (!profile.ok()) {
    note(profile.status());
    return false;
  }
  if (!o.quiet) print_summary(*profile, columns(STDERR_FILENO, kSummaryWidth), stderr);
  std::string written;
  for (const std::string& output : o.outputs) {
    const std::string path = path_for(output, index, intake.pid());
    base::Status s = formats::is_recording(path) ? base::Status() : formats::write_file(*profile, path);
    note(s);
    if (s.ok() && !formats::is_recording(path)) written += " " + path;
  }
  for (const std::string& output : o.outputs) {
    const std::string path = path_for(output, index, intake.pid());
    if (!formats::is_recording(path)) continue;
    base::Status s = keep_recording(intake.path(), path);
    note(s);
    if (!s.ok()) session.keep();
    if (s.ok()) written += " " + path;
  }
  if (!o.quiet && !written.empty()) fmt::print(stderr, "wrote{}\n", written);
  return all_written;
}

}  // namespace

int run(const RunOptions& asked) {
  RunOptions o = asked;
  if (o.outputs.empty()) o.outputs.push_back("walkabout.html");
  if (base::Status s = check_outputs(o.outputs); !s.ok()) return fail(kUsage, s.message());
  const std::string interval = interval_for_agent(o.interval);
  if (interval.empty())
    return fail(kUsage, "--interval " + o.interval + " is not a time from 100us to 1s (or a rate like 99hz)");
  const base::Result<std::string> agent = agent_path();
  if (!agent.ok()) return fail(kFailure, agent.message());
  base::Result<SessionDir> session = SessionDir::create();
  if (!session.ok()) return fail(kFailure, session.message());
  base::Result<Collector> collector = Collector::listen(session->path(), o.children);
  if (!collector.ok()) return fail(kFailure, collector.message());
  if (const char* other = ::getenv("CORECLR_PROFILER");
      other != nullptr && ::getenv("CORECLR_ENABLE_PROFILING") != nullptr) {
    fmt::print(stderr,
               "walkabout: another profiler ({}) is set in the environment; it is left out of this run\n",
               other);
  }
  watch_interrupts();
  base::Result<Target> target =
      Target::start(o.command, environment(o, interval, *agent, collector->socket_path()));
  if (!target.ok()) return fail(kCannotStart, target.message());
  const TargetEnd end = collect(*target, *collector);
  if (collector->intakes().empty()) {
    fail(kFailure, "nothing was recorded: no .NET runtime (8 or later) started the agent in '" +
                       o.command[0] +
                       "'; is it a .NET program, and does it print a line of walkabout's above?");
    return end.exit_code != 0 ? end.exit_code : kFailure;
  }
  bool all_written = true;
  for (size_t i = 0; i < collector->intakes().size(); ++i) {
    all_written &= write_outputs(o, *collector->intakes()[i], i, *session);
  }
  return end.exit_code == 0 && !all_written ? kFailure : end.exit_code;
}

void add_run(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "run a command and profile it");
  verb->add_option("-o,--output", options->outputs,
                   "file to write, kind by suffix: .walk .html .collapsed .speedscope.json .pb.gz "
                   "(repeatable; default "
                   "walkabout.html)")
      ->allow_extra_args(false);
  verb->add_option("-i,--interval", options->interval,
                   "CPU time between samples of a thread, 100us … 1s, or a rate: 99hz (default)");
  verb->add_option("--engine", options->engine,
                   "what ticks: perf events, CPU timers, or the better one allowed (auto)")
      ->check(CLI::IsMember({"auto", "perf", "timer"}));
  verb->add_option("--depth", options->depth, "frames kept of one stack (default 2048)")
      ->check(CLI::Range(16, 65536));
  verb->add_flag("--oracle", options->oracle,
                 "also run the CLR's own walk on every sample, for `walkabout verify`");
  verb->add_flag("--children", options->children,
                 "profile child processes too (a file each, with the PID in its name)");
  verb->add_flag("--unfold", options->unfold, "show unnamed frames of stripped libraries one by one");
  verb->add_flag("-q,--quiet", options->quiet, "no summary");
  verb->add_option("command", options->command, "the command and its arguments, after --")->required();
  verb->footer(
      "Examples:\n"
      "  walkabout run -- dotnet app.dll\n"
      "  walkabout run -o app.html -o app.walk -i 1ms -- dotnet app.dll --port 5000\n"
      "  walkabout run --children -o build.html -- dotnet build\n"
      "Exit code: the command's own (128 + signal when one ended it); 1 when nothing could be recorded or "
      "written,\n"
      "2 for a wrong option, 127 when the command cannot be started.");
  verb->callback([options, exit_code] { *exit_code = run(*options); });
}

}  // namespace walkabout::cli
