#include "cli/linux/count_verb.h"

#include <memory>
#include <string>
#include <utility>

#include "cli/calls_report.h"
#include "cli/linux/attach.h"
#include "cli/linux/method_verb.h"
#include "console/exit_codes.h"
#include "console/print.h"
#include "formats/format.h"
#include "launch/session_dir.h"

namespace walkabout::cli {
namespace {

struct CountOptions : MethodOptions {
  std::string output;
  bool by_caller = false;
};

NothingRecorded nothing_in(const profile::Calls& calls) {
  return why_nothing(calls.state, calls.complete, calls.total() != 0, without_methods(calls), "to count");
}

base::Result<ShownProcess> read_counts(const CountOptions& o, const std::string& path,
                                       const Terminal& terminal) {
  const base::Result<profile::Calls> calls = profile::load_calls(path);
  if (!calls.ok()) return calls.status();
  ShownProcess shown{nothing_in(*calls), "", calls_json(*calls, o.top)};
  if (shown.nothing.why.empty()) shown.text = calls_text(*calls, o.top, terminal);
  return shown;
}

int count(const CountOptions& o) {
  const base::Result<std::string> lines = pattern_lines(o.methods);
  if (!lines.ok()) return fail(kUsage, "--method: " + lines.message());
  if (!o.output.empty() && !formats::is_recording(o.output))
    return fail(kUsage, "-o " + o.output + ": what is kept is a recording, FILE.walk");
  if (o.command && !o.duration.empty())
    return fail(kUsage, "--duration is for a process that runs already; a command is counted to its end");
  base::Result<SessionDir> session = SessionDir::create();
  if (!session.ok()) return fail(kFailure, session.message());
  const std::string file = o.output.empty() ? session->path() + "/count.walk" : o.output;
  ProfilingOptions how;
  how.outputs = {file};
  how.quiet = true;
  how.count = *lines;
  how.count_all = o.yes;
  how.count_by_caller = o.by_caller;
  return record_methods(o, how, file, [&](int exit_code) {
    return show_methods(o, file, exit_code, [&o](const std::string& path, const Terminal& terminal) {
      return read_counts(o, path, terminal);
    });
  });
}

}  // namespace

void add_count(CommandLine& line, bool command) {
  auto options = std::make_shared<CountOptions>();
  options->command = command;
  Verb verb = line.verb("count", "how often chosen methods are called: exact, of all threads");
  add_method_options(verb, options.get());
  verb.flag(
      "--by-caller", options->by_caller,
      "also who calls them: a counted call takes some 30 ns then, and the agent learns all compiled code");
  verb.option("-o,--output", options->output, "also keep the recording: FILE.walk, which report reads again");
  verb.flag("--json", options->json, "for programs (keys: docs/json.md)");
  add_target_option(verb, options.get());
  verb.footer(
      std::string(
          "A name is Namespace.Type.Method, nested types with a dot too, without parameters and arity; * is "
          "any "
          "text.\n"
          "The runtime compiles the methods again with a count in them, and at the end as they were. Of a "
          "command each\n"
          "call is counted, of a process those from the line \"counting the calls of\" on, where the "
          "duration "
          "begins too.\n"
          "Of a command the table goes to standard error, also as JSON.\n"
          "Examples:\n"
          "  walkabout count -m 'Orders.*' 1234 -d 30s\n"
          "  walkabout count -m '*.Repository.*' -m '!*.get_*' MyService\n"
          "  walkabout count -m 'System.Text.Json!*' -- dotnet app.dll\n") +
      kAttachExitCodes + " Of a command its own exit code.");
  verb.action([options] { return count(*options); });
}

}  // namespace walkabout::cli
