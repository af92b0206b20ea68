#include "cli/linux/async_verb.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/duration.h"
#include "cli/linux/attach.h"
#include "cli/pending_report.h"
#include "cli/terminal.h"
#include "console/exit_codes.h"
#include "launch/session_dir.h"
#include "profile/build/pending.h"
#include "wire/limits.h"
#include "wire/sources.h"

namespace walkabout::cli {
namespace {

constexpr char kUsualTimeout[] = "30s";

struct AsyncOptions {
  std::string process, output, watch, max_pause;
  std::string timeout = kUsualTimeout;
  size_t top = 20;
  bool json = false;
};

int async(const AsyncOptions& o) {
  const std::optional<uint64_t> timeout = base::parse_duration(o.timeout);
  if (!timeout || *timeout == 0)
    return fail(kUsage, "--timeout " + o.timeout + " is not a time like 30s or 500ms");
  base::Result<SessionDir> session = SessionDir::create();
  if (!session.ok()) return fail(kFailure, session.message());
  AttachOptions attached;
  attached.process = o.process;
  attached.duration = o.timeout;
  attached.events = "async=60m";
  attached.snapshots = 1;
  attached.max_pause = o.max_pause;
  attached.quiet = true;
  attached.lines = true;  // of the awaits
  const std::string file = o.output.empty() ? session->path() + "/async.walk" : o.output;
  attached.outputs = {file};
  if (!o.watch.empty()) {
    const std::optional<uint64_t> watch = base::parse_duration(o.watch);
    if (!watch || *watch < wire::kAsyncRow.least_ns || *watch > wire::kAsyncRow.most_ns)
      return fail(kUsage, "--watch " + o.watch + " is not a time from 100ms to 1h");
    attached.events = "async=" + o.watch;
    attached.snapshots = 2;
    attached.duration = std::to_string((*watch + *timeout) / 1'000'000) + "ms";
  }
  if (const int done = attach(attached); done != kSuccess) return done;
  const base::Result<profile::Pending> pending = profile::load_pending(file);
  if (!pending.ok()) return fail(kFailure, pending.message());
  if (const std::string none = no_snapshot(*pending); !none.empty())
    return fail(kFailure, fmt::format("no look at process {} within {}: {}", o.process, o.timeout, none));
  if (o.json)
    print_json(pending_json(*pending, o.top));
  else
    print(pending_text(*pending, o.top, standard_output()));
  return kSuccess;
}

}  // namespace

void add_async(CommandLine& line) {
  auto options = std::make_shared<AsyncOptions>();
  Verb verb = line.verb("async", "which async methods of a running process wait, and who awaits them");
  add_process_option(verb, &options->process);
  verb.option(
      "-w,--watch", options->watch,
      "look twice, so long apart (100ms … 1h): what waits at both is shown with since when it was seen");
  verb.option(
      "--max-pause", options->max_pause,
      "how long the program may stand for a look: 1ms … 60s (default 200ms); what was not seen by then "
      "is missing, and said to be");
  verb.option("--timeout", options->timeout, "wait so long for a look (default 30s)");
  verb.option("--top", options->top, "so many stacks (default 20)");
  verb.option("-o,--output", options->output, "also keep the recording: FILE.walk, which report reads again");
  verb.flag("--json", options->json, "for programs (keys: docs/json.md)");
  verb.footer(
      std::string(
          "The program stands while its heap is looked through: some 30 ms where it has a million objects.\n"
          ".NET 8 shows its objects at the end of a collection only: there the look waits for the program's "
          "next "
          "one.\n"
          "Examples:\n"
          "  walkabout async 1234\n"
          "  walkabout async MyService --watch 10s\n"
          "  walkabout async 1234 --json --top 1000\n") +
      kAttachExitCodes);
  verb.action([options] { return async(*options); });
}

}  // namespace walkabout::cli
