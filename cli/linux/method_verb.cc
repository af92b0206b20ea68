#include "cli/linux/method_verb.h"

#include <sys/stat.h>

#include <optional>
#include <tuple>
#include <utility>

#include "cli/linux/attach.h"
#include "cli/linux/run.h"
#include "cli/recordings_of.h"
#include "console/exit_codes.h"
#include "console/numbers.h"
#include "console/print.h"
#include "wire/method_pattern.h"

namespace walkabout::cli {
namespace {

// What tells a file from one that was written in its place.
using Stamp = std::tuple<ino_t, time_t, long, off_t>;
std::optional<Stamp> stamp_of(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return Stamp(status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size);
}

}  // namespace

void add_method_options(Verb verb, MethodOptions* options) {
  verb.option(
          "-m,--method", options->methods,
          "methods by name: 'Orders.*', '*.Repository.Save', 'System.Text.Json!*' of a module, '!*.get_*' "
          "for those that are left out (repeatable)")
      .one_value_each()
      .shown_as("PATTERN");
  verb.option("-d,--duration", options->duration,
              "of a process: for so long, 30s, 5m (default: until Ctrl-C)");
  verb.flag("--yes", options->yes, "also more than 50,000 methods");
  verb.option("--top", options->top, "so many rows (default 20)");
}

void add_target_option(Verb verb, MethodOptions* options) {
  if (options->command)
    verb.option("command", options->command_line, "the command and its arguments").required();
  else
    verb.option("process", options->process, "the process, by its id or name; or a command behind --")
        .required()
        .shown_as("PID|NAME|-- COMMAND");
}

base::Result<std::string> pattern_lines(const std::vector<std::string>& patterns) {
  std::string lines;
  for (const std::string& pattern : patterns) {
    if (const auto parsed = wire::parse_method_pattern(pattern); !parsed.ok()) return parsed.status();
    lines += pattern + "\n";
  }
  if (const auto all = wire::parse_method_patterns(lines); !all.ok()) return all.status();
  return lines;
}

int record_methods(const MethodOptions& options, const ProfilingOptions& how, const std::string& file,
                   const std::function<int(int)>& show) {
  if (!options.command) {
    AttachOptions attached;
    static_cast<ProfilingOptions&>(attached) = how;
    attached.process = options.process;
    attached.duration = options.duration;
    const int done = attach(attached);
    return done == kSuccess ? show(done) : done;
  }
  RunOptions started;
  static_cast<ProfilingOptions&>(started) = how;
  started.command = options.command_line;
  const std::optional<Stamp> before = stamp_of(file);
  const int done = run(started);
  const std::optional<Stamp> written = stamp_of(file);  // where it was not, run() has said why
  return written && written != before ? show(done) : done;
}

int show_methods(const MethodOptions& options, const std::string& file, int exit_code,
                 const ReadProcess& read) {
  const base::Result<RecordingFiles> files = recordings_of(file);
  if (!files.ok()) return fail(kFailure, files.message());
  Json all{{"processes", Json::array()}};
  std::string text;
  const Terminal terminal = options.command ? Terminal{columns(2, 0), false} : standard_output();
  for (const RecordingFile& one : files->files) {
    base::Result<ShownProcess> process = read(one.path, terminal);
    if (!process.ok()) return fail(kFailure, process.message());
    if (!process->nothing.why.empty() && files->files.size() == 1) {
      fail(process->nothing.exit_code, process->nothing.why);
      return exit_code == kSuccess ? process->nothing.exit_code : exit_code;
    }
    all["processes"].push_back(std::move(process->json));
    if (process->nothing.why.empty()) text += (text.empty() ? "" : "\n") + process->text;
  }
  if (options.json) text = json_text(files->files.size() == 1 ? all["processes"][0] : all);
  if (options.command)
    print_stderr(text);
  else
    print(text);
  return exit_code;
}

NothingRecorded why_nothing(const wire::CallState& state, bool complete, bool any_calls, std::string patterns,
                            const std::string& to_do) {
  if (state.chosen != 0 || any_calls) return {"", kSuccess};
  if (state.too_many != 0)
    return {"the patterns match " + counted(state.too_many, "method") + ": " + to_do +
                " so many slows the program down for a while; --yes does it",
            kUsage};
  if (!complete || !state.looked)
    return {"the recording ended before the methods were looked through", kFailure};
  if (state.unloadable != 0) patterns += " What can be unloaded is left out.";
  while (patterns.ends_with('\n')) patterns.pop_back();
  return {patterns.empty() ? "no method is left that is not excluded" : patterns, kUsage};
}

}  // namespace walkabout::cli
