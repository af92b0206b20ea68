#include "cli/linux/count_verb.h"

#include <sys/stat.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/calls_report.h"
#include "cli/linux/attach.h"
#include "cli/linux/run.h"
#include "cli/recordings_of.h"
#include "cli/terminal.h"
#include "console/exit_codes.h"
#include "console/numbers.h"
#include "console/print.h"
#include "formats/format.h"
#include "launch/session_dir.h"
#include "wire/method_pattern.h"

namespace walkabout::cli {
namespace {

struct CountOptions {
  std::vector<std::string> methods, command_line;
  std::string process, duration, output;
  size_t top = 20;
  bool yes = false;
  bool by_caller = false;
  bool json = false;
  bool command = false;
};

base::Result<std::string> pattern_lines(const std::vector<std::string>& patterns) {
  std::string lines;
  for (const std::string& pattern : patterns) {
    if (const auto parsed = wire::parse_method_pattern(pattern); !parsed.ok()) return parsed.status();
    lines += pattern + "\n";
  }
  if (const auto all = wire::parse_method_patterns(lines); !all.ok()) return all.status();
  return lines;
}

struct Nothing {
  std::string why;  // empty: something was counted
  int exit_code = kUsage;
};

// Of a process where nothing was counted. What is known of the patterns is true when all was looked through.
Nothing why_nothing(const profile::Calls& calls) {
  const wire::CallState& state = calls.state;
  if (state.chosen != 0 || calls.total() != 0) return {};
  if (state.too_many != 0)
    return {"the patterns match " + counted(state.too_many, "method") +
            ": to count so many slows the program down for a while; --yes does it"};
  if (!calls.complete || !state.looked)
    return {"the recording ended before the methods were looked through", kFailure};
  std::string why = without_methods(calls);
  if (state.unloadable != 0) why += " What can be unloaded is not counted.";
  while (why.ends_with('\n')) why.pop_back();
  return {why.empty() ? "no method is left that is not excluded" : why};
}

// What tells a file from one that was written in its place.
using Stamp = std::tuple<ino_t, time_t, long, off_t>;
std::optional<Stamp> stamp_of(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return Stamp(status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size);
}

// A program's own output is not mixed with the table.
int show(const CountOptions& o, const std::string& file, int exit_code) {
  const base::Result<RecordingFiles> files = recordings_of(file);
  if (!files.ok()) return fail(kFailure, files.message());
  Json all{{"processes", Json::array()}};
  std::string text;
  const Terminal terminal = o.command ? Terminal{columns(2, 0), false} : standard_output();
  for (const RecordingFile& one : files->files) {
    const base::Result<profile::Calls> calls = profile::load_calls(one.path);
    if (!calls.ok()) return fail(kFailure, calls.message());
    const Nothing nothing = why_nothing(*calls);
    if (!nothing.why.empty() && files->files.size() == 1) {
      fail(nothing.exit_code, nothing.why);
      return exit_code == kSuccess ? nothing.exit_code : exit_code;
    }
    all["processes"].push_back(calls_json(*calls, o.top));
    if (nothing.why.empty()) text += (text.empty() ? "" : "\n") + calls_text(*calls, o.top, terminal);
  }
  if (o.json) text = json_text(files->files.size() == 1 ? all["processes"][0] : all);
  if (o.command)
    print_stderr(text);
  else
    print(text);
  return exit_code;
}

template <typename Options>
void fill(const CountOptions& o, const std::string& lines, const std::string& file, Options* to) {
  to->outputs = {file};
  to->quiet = true;
  to->count = lines;
  to->count_all = o.yes;
  to->count_by_caller = o.by_caller;
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
  if (!o.command) {
    AttachOptions attached;
    fill(o, *lines, file, &attached);
    attached.process = o.process;
    attached.duration = o.duration;
    const int done = attach(attached);
    return done == kSuccess ? show(o, file, done) : done;
  }
  RunOptions started;
  fill(o, *lines, file, &started);
  started.command = o.command_line;
  const std::optional<Stamp> before = stamp_of(file);
  const int done = run(started);
  const std::optional<Stamp> written = stamp_of(file);  // where it was not, run() has said why
  return written && written != before ? show(o, file, done) : done;
}

}  // namespace

void add_count(CommandLine& line, bool command) {
  auto options = std::make_shared<CountOptions>();
  options->command = command;
  Verb verb = line.verb("count", "how often chosen methods are called: exact, of all threads");
  verb.option(
          "-m,--method", options->methods,
          "methods by name: 'Orders.*', '*.Repository.Save', 'System.Text.Json!*' of a module, '!*.get_*' "
          "for those that are left out (repeatable)")
      .one_value_each()
      .required()
      .shown_as("PATTERN");
  verb.option("-d,--duration", options->duration,
              "of a process: for so long, 30s, 5m (default: until Ctrl-C)");
  verb.flag(
      "--by-caller", options->by_caller,
      "also who calls them, how often: a counted call takes about 0.1 us more, and the agent learns all "
      "compiled code");
  verb.flag("--yes", options->yes, "also more than 50,000 methods");
  verb.option("--top", options->top, "so many rows (default 20)");
  verb.option("-o,--output", options->output, "also keep the recording: FILE.walk, which report reads again");
  verb.flag("--json", options->json, "for programs (keys: docs/json.md)");
  if (command)
    verb.option("command", options->command_line, "the command and its arguments").required();
  else
    verb.option("process", options->process, "the process, by its id or name; or a command behind --")
        .required()
        .shown_as("PID|NAME|-- COMMAND");
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
