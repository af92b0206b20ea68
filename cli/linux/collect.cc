#include "cli/linux/collect.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/clock.h"
#include "collect/collector.h"
#include "console/exit_codes.h"
#include "launch/loading.h"

namespace walkabout::cli {
namespace {

constexpr int kAgent = 3;
constexpr int kIdlePollMs = 1000;
// A process that was forked from the program may hold the stream open behind its end.
constexpr uint64_t kAfterExitNs = 2'000'000'000;

// Whoever ends the program (systemd, a terminal, `docker stop`) sends it to us as well; we end behind it.
void ignore_signals() {
  for (int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(s, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Relative names are meant from where the program was started; the folder itself is not held.
base::Result<Rotation> rotation_from_environment() {
  const std::string output = variable("WALKABOUT_OUTPUT");
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(output, error);
  base::Result<Rotation> rotation =
      make_rotation(error ? output : path.string(), variable("WALKABOUT_EVERY"), variable("WALKABOUT_KEEP"));
  if (!rotation.ok()) return rotation;
  if (variable("WALKABOUT_CHILDREN") == "1" && !rotation->pattern.has_pid())
    return base::Status::error(
        "WALKABOUT_CHILDREN=1 needs %pid in WALKABOUT_OUTPUT: each process has files of its own");
  // What the environment says is not shown.
  if (!check_folder(rotation->pattern).ok())
    return base::Status::error("no files can be made in the folder that WALKABOUT_OUTPUT names");
  return rotation;
}

bool is_gone(pid_t pid) { return ::kill(pid, 0) != 0 && errno == ESRCH; }

void collect_all(Collector& collector, pid_t pid) {
  uint64_t gone_ns = 0;
  while (collector.connected()) {
    collector.poll(kIdlePollMs);
    if (!is_gone(pid)) continue;
    const uint64_t now_ns = base::monotonic_ns();
    if (gone_ns == 0) gone_ns = now_ns;
    if (now_ns - gone_ns > kAfterExitNs) break;
  }
}

int collect_of_agent() {
  ignore_signals();
  base::Fd agent(kAgent);
  const base::Result<Rotation> rotation = rotation_from_environment();
  if (!rotation.ok()) {
    Collector::turn_away(std::move(agent));
    return fail(kUsage, "not profiling this process: " + rotation.message());
  }
  base::Result<Collector> collector =
      Collector::of(std::move(agent), *rotation, variable("WALKABOUT_REDACT") == "1");
  if (!collector.ok()) return fail(kFailure, collector.message());
  if (::chdir("/") != 0) return fail(kFailure, "there is no root folder");
  StreamReceiver& receiver = *collector->receivers().front();
  collect_all(*collector, receiver.pid());
  const base::Status finished = receiver.finish();
  return finished.ok() ? kSuccess : fail(kFailure, finished.message());
}

}  // namespace

void add_collect(CommandLine& line) {
  Verb verb = line.verb("collect", "what an agent starts that has no walkabout run above it");
  verb.hide();  // hidden
  verb.action(collect_of_agent);
}

}  // namespace walkabout::cli
