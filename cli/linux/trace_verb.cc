#include "cli/linux/trace_verb.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/duration.h"
#include "base/percent.h"
#include "cli/linux/attach.h"
#include "cli/linux/method_verb.h"
#include "cli/trace_report.h"
#include "console/exit_codes.h"
#include "console/print.h"
#include "formats/format.h"
#include "launch/session_dir.h"

namespace walkabout::cli {
namespace {

struct TraceVerbOptions : MethodOptions {
  std::vector<std::string> outputs, redacted;
  std::string latency, budget;
  bool my_code = false;
  bool all = false;
  bool no_arguments = false;
};

// Of the framework.
constexpr const char* kNotMyCode[] = {"!System!*",   "!System.*!*",    "!Microsoft.*!*", "!netstandard!*",
                                      "!mscorlib!*", "!WindowsBase!*", "!FSharp.Core!*"};

base::Result<std::string> chosen_by(const TraceVerbOptions& o) {
  std::vector<std::string> patterns = o.methods;
  if (o.my_code) {
    if (patterns.empty()) patterns.emplace_back("*");
    patterns.insert(patterns.end(), std::begin(kNotMyCode), std::end(kNotMyCode));
  }
  if (patterns.empty() && o.all) return std::string();
  if (patterns.empty())
    return base::Status::error(
        "which methods are to be traced? -m 'Orders.*' names some, --my-code all of the program's own");
  base::Result<std::string> lines = pattern_lines(patterns);
  if (!lines.ok()) return base::Status::error("--method: " + lines.message());
  return lines;
}

NothingRecorded nothing_traced(const profile::Profile& profile) {
  const profile::Traces& traces = profile.traces[0];
  return why_nothing(traces.choice, traces.complete, traces.all_calls() != 0, without_methods(traces),
                     "to trace");
}

base::Result<ShownProcess> read_trace(const TraceVerbOptions& o, const std::string& path,
                                      const Terminal& terminal) {
  const base::Result<profile::Profile> profile = load_trace(path);
  if (!profile.ok()) return profile.status();
  ShownProcess shown{nothing_traced(*profile), "", {}};
  if (o.json) shown.json = trace_json(*profile, o.top);
  if (shown.nothing.why.empty()) shown.text = trace_text(*profile, o.top, terminal);
  return shown;
}

int trace(const TraceVerbOptions& o) {
  const base::Result<std::string> lines = chosen_by(o);
  if (!lines.ok()) return fail(kUsage, lines.message());
  if (o.latency.empty() && (!o.redacted.empty() || o.no_arguments))
    return fail(kUsage, "--redact and --no-arguments are of the calls that --latency keeps");
  if (!o.latency.empty() && !base::parse_duration(o.latency))
    return fail(kUsage, "--latency " + o.latency + " is not a time like 10ms or 1s");
  if (!o.budget.empty() && !base::parse_percent(o.budget))
    return fail(kUsage, "--budget " + o.budget + " is not a share of the CPU time like 5% or 0.5%");
  if (o.command && !o.duration.empty())
    return fail(kUsage, "--duration is for a process that runs already; a command is traced to its end");
  if (o.all && !o.command)
    return fail(
        kUsage,
        "--all is for a command, which walkabout starts: the runtime takes hooks of every call only then; "
        "trace -m PATTERN traces chosen methods of a process");
  base::Result<SessionDir> session = SessionDir::create();
  if (!session.ok()) return fail(kFailure, session.message());
  ProfilingOptions how;
  how.outputs = o.outputs;
  const auto kept = std::find_if(o.outputs.begin(), o.outputs.end(), formats::is_recording);
  const std::string file = kept != o.outputs.end() ? *kept : session->path() + "/trace.walk";
  if (kept == o.outputs.end()) how.outputs.push_back(file);
  how.events = "call";
  how.quiet = true;
  how.trace = *lines;
  how.trace_all = o.all;
  how.latency = o.latency;
  how.takes_values = !o.latency.empty() && !o.no_arguments && !o.all;
  for (const std::string& glob : o.redacted) how.hidden_values += glob + "\n";
  how.trace_budget = o.budget;
  how.count_all = o.yes;
  return record_methods(o, how, file, [&](int exit_code) {
    return show_methods(o, file, exit_code, [&o](const std::string& path, const Terminal& terminal) {
      return read_trace(o, path, terminal);
    });
  });
}

}  // namespace

void add_trace(CommandLine& line, bool command) {
  auto options = std::make_shared<TraceVerbOptions>();
  options->command = command;
  Verb verb =
      line.verb("trace", "each call of chosen methods: how long, under which callers, slow ones one by one");
  add_method_options(verb, options.get());
  verb.flag("--my-code", options->my_code, "what is not the framework's, of -m or of all");
  verb.flag(
      "--all", options->all,
      "of a command: every call of every method, or of those of -m, by the runtime's own hooks. Exact, and "
      "slow: without precompiled code and inlining");
  verb.option(
      "--latency", options->latency,
      "also keep calls that take as long one by one, each with arguments, result and stack: 10ms, 1s");
  verb.option(
          "--redact", options->redacted,
          "of these calls what is not read: parameters, fields, types ('string', 'App.Secret') or methods "
          "('App.Login.*') of such names (repeatable)")
      .one_value_each()
      .shown_as("PATTERN");
  verb.flag("--no-arguments", options->no_arguments, "no arguments and results of these calls");
  verb.option(
      "--budget", options->budget,
      "methods whose probes cost more of the program's CPU time than this keep their count alone: 5%");
  verb.option("-o,--output", options->outputs,
              "also keep the recording, FILE.walk, or write a report: FILE.html and others (repeatable)")
      .one_value_each()
      .shown_as("FILE");
  verb.flag("--json", options->json, "for programs (keys: docs/json.md)");
  add_target_option(verb, options.get());
  verb.footer(
      std::string(
          "A name is Namespace.Type.Method, nested types with a dot too, without parameters and arity; * is "
          "any text.\n"
          "The runtime compiles the methods again with a probe around them, and at the end as they were. Of "
          "a command each\n"
          "call is traced, of a process those from the line \"tracing the calls of\" on, where the duration "
          "begins too.\n"
          "Of a command the report goes to standard error, also as JSON.\n"
          "Examples:\n"
          "  walkabout trace -m 'Orders.*' 1234 -d 30s\n"
          "  walkabout trace --my-code --latency 100ms -o slow.html MyService\n"
          "  walkabout trace -m '*.Repository.*' -m '!*.get_*' -- dotnet app.dll\n"
          "  walkabout trace --all -- dotnet app.dll\n") +
      kAttachExitCodes + " Of a command its own exit code.");
  verb.action([options] { return trace(*options); });
}

}  // namespace walkabout::cli
