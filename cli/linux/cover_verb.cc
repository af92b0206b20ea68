#include "cli/linux/cover_verb.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/glob.h"
#include "base/linux/read_file.h"
#include "base/system_error.h"
#include "cli/linux/cover_summary.h"
#include "cli/linux/tests_of.h"
#include "console/exit_codes.h"
#include "console/linux/interrupts.h"
#include "console/numbers.h"
#include "cover/compiled_source.h"
#include "cover/count_reader.h"
#include "cover/line_coverage.h"
#include "cover/map_counts.h"
#include "cover/outputs_of_coverage.h"
#include "cover/test_map.h"
#include "formats/output_file.h"
#include "launch/agent_path.h"
#include "launch/loading.h"
#include "launch/session_dir.h"
#include "launch/target.h"
#include "wire/cover_file.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kCoverPollMs = 100;
constexpr uint64_t kAskedTwiceNs = 500'000'000;
constexpr size_t kMostSaid = 5;

struct CoverOptions {
  std::vector<std::string> include, exclude, outputs, merged, command;
  std::vector<std::string> tests_of;
  std::string test_map, tests_of_diff;
  std::string branches = "taken";
  double fail_under = 0;
  bool hits = false;
  bool quiet = false;
};

// Of a source; else of an assembly's name.
bool is_path(const std::string& pattern) { return pattern.find('/') != std::string::npos; }

std::string names_of(const std::vector<std::string>& patterns) {
  std::string names;
  for (const std::string& pattern : patterns) {
    if (!is_path(pattern)) names += (names.empty() ? "" : ";") + pattern;
  }
  return names;
}

bool wants(const CoverOptions& o, const std::string& path) {
  const auto matches = [&path](const std::string& pattern) {
    return is_path(pattern) && base::matches_glob(pattern, path);
  };
  const bool only_some = std::any_of(o.include.begin(), o.include.end(), is_path);
  return (!only_some || std::any_of(o.include.begin(), o.include.end(), matches)) &&
         std::none_of(o.exclude.begin(), o.exclude.end(), matches);
}

bool asks_for_tests(const CoverOptions& o) { return !o.tests_of.empty() || !o.tests_of_diff.empty(); }

base::Status check_folder(const std::string& path) {
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  return ::access(folder.c_str(), W_OK | X_OK) == 0
             ? base::Status()
             : base::system_error("cannot write " + path + ": " + folder.string());
}

base::Status check_tests(const CoverOptions& o) {
  if (asks_for_tests(o) && o.test_map.empty())
    return base::Status::error("--tests-of and --tests-of-diff ask a map: give it with --test-map FILE");
  if (asks_for_tests(o) && !o.command.empty())
    return base::Status::error(
        "--tests-of and --tests-of-diff ask a map that is there already; without -- COMMAND");
  if (asks_for_tests(o)) return {};
  if (!o.test_map.empty() && o.command.empty())
    return base::Status::error("say what to run after --, or what to ask of the map with --tests-of");
  if (!o.test_map.empty() && o.hits)
    return base::Status::error("--test-map says whether lines ran, not how often; without --hits");
  return o.test_map.empty() ? base::Status() : check_folder(o.test_map);
}

base::Status check(const CoverOptions& o) {
  if (base::Status s = check_tests(o); !s.ok() || asks_for_tests(o)) return s;
  if (o.command.empty() && o.merged.empty())
    return base::Status::error("say what to run after --, or what to --merge");
  for (const std::string& path : o.outputs) {
    if (cover::format_of_coverage(path) == nullptr)
      return base::Status::error(fmt::format("{} has none of the suffixes that say how to write it: {}", path,
                                             cover::kCoverageSuffixes));
    if (base::Status s = check_folder(path); !s.ok()) return s;
  }
  for (const auto* patterns : {&o.include, &o.exclude}) {
    for (const std::string& pattern : *patterns) {
      if (pattern.find(';') != std::string::npos)
        return base::Status::error("'" + pattern +
                                   "': a pattern has no ';'; give the option again for another");
    }
  }
  return {};
}

base::Result<cover::Coverage> merged_files(const CoverOptions& o) {
  cover::Coverage all;
  for (const std::string& path : o.merged) {
    std::string text;
    if (!base::read_file(path, &text)) return base::system_error("cannot read " + path);
    const base::Result<cover::Coverage> one = cover::read_cover(text);
    if (!one.ok()) return base::Status::error("cannot read " + path + ": " + one.message());
    if (const std::vector<std::string> others = cover::merge(*one, &all); !others.empty())
      return base::Status::error("cannot merge " + path + ": " + others.front() +
                                 " was another text when that was run; cover both with the same sources");
  }
  return all;
}

base::Result<Environment> cover_environment(const CoverOptions& o, const std::string& agent,
                                            const std::string& folder) {
  base::Result<Environment> all = loading_environment(agent, false, variable);
  if (!all.ok())
    return base::Status::error(
        "CORECLR_PROFILER is set: the command already has a profiler, and two cannot both change its code; "
        "unset CORECLR_ENABLE_PROFILING to cover without it");
  for (const char* of_run : {"WALKABOUT_SOCKET", "WALKABOUT_OUTPUT", "WALKABOUT_STREAM"})
    all->push_back({of_run, ""});
  all->push_back({"WALKABOUT_COVER", folder});
  all->push_back({"WALKABOUT_COVER_INCLUDE", names_of(o.include)});
  all->push_back({"WALKABOUT_COVER_EXCLUDE", names_of(o.exclude)});
  all->push_back({"WALKABOUT_COVER_HITS", o.hits ? "1" : "0"});
  all->push_back({"WALKABOUT_COVER_TESTS", o.test_map.empty() ? "0" : "1"});
  return all;
}

// Passes on what it is asked meanwhile.
TargetEnd wait_for_end(Target& target) {
  int seen = 0;
  uint64_t first_ns = 0;
  for (;;) {
    pollfd end{target.end_fd(), POLLIN, 0};
    ::poll(&end, 1, kCoverPollMs);
    if (const auto ended = target.poll()) return *ended;
    if (const int signal = take_signal_sent_to_us(); signal != 0) target.send(signal);
    const int asked = interrupts();
    if (asked == seen) continue;
    const uint64_t now = base::monotonic_ns();
    if (first_ns != 0 && now - first_ns > kAskedTwiceNs) target.send(SIGKILL);
    if (first_ns == 0) first_ns = now;
    seen = asked;
  }
}

cover::Counted counts_in(const std::string& folder) {
  cover::Counted counted;
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == wire::kCoverSuffix) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files) {
    std::string bytes;
    if (!base::read_file(path, &bytes)) continue;
    const base::Status read =
        cover::read_counts({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &counted);
    if (!read.ok()) print_stderr(base::error_line(path.filename().string() + ": " + read.message()));
  }
  return counted;
}

std::string losses(const cover::Counted& counted, const cover::LeftOut& left_out) {
  std::string text;
  for (size_t i = 0; i < left_out.modules.size() && i < kMostSaid; ++i)
    text += base::error_line("left out: " + left_out.modules[i]);
  if (left_out.modules.size() > kMostSaid)
    text += base::error_line(fmt::format("left out: {} more", left_out.modules.size() - kMostSaid));
  if (const uint64_t methods = left_out.methods + counted.contradicted; methods != 0)
    text += base::error_line("left out: " + cli::counted(methods, "method") +
                             " of which it is not known whether they ran");
  if (counted.no_room != 0)
    text += base::error_line("not covered: " + cli::counted(counted.no_room, "method") +
                             ", for whose counts the session's folder (TMPDIR) has no room");
  if (counted.without_file != 0)
    text += base::error_line("not covered: " + cli::counted(counted.without_file, "process") +
                             ", for whose counts the session's folder (TMPDIR) has no room");
  if (counted.not_mapped != 0)
    text += base::error_line("not covered: " + cli::counted(counted.not_mapped, "module") +
                             ": more than a process may have, or no room for their counts");
  if (left_out.sources != 0)
    text += base::error_line("left out: " + cli::counted(left_out.sources, "source file") +
                             " that this machine does not have");
  return text;
}

base::Status write(const std::string& path, const cover::Coverage& coverage) {
  formats::OutputFile file(path);
  if (base::Status s = file.open(); !s.ok()) return s;
  if (base::Status s = cover::format_of_coverage(path)(coverage, file.stream()); !s.ok()) return s;
  return file.commit();
}

// Empty: it is written.
std::string write_tests(const CoverOptions& o, const cover::TestMap& tests) {
  formats::OutputFile file(o.test_map);
  base::Status s = file.open();
  if (s.ok()) s = cover::write_test_map(tests, file.stream());
  if (s.ok()) s = file.commit();
  if (!s.ok()) return s.message();
  if (o.quiet) return {};
  const auto count = static_cast<uint64_t>(
      std::count_if(tests.flows.begin(), tests.flows.end(),
                    [](const cover::TestFlow& flow) { return flow.kind == cover::TestFlow::Kind::kTest; }));
  std::string text = fmt::format("wrote {}: {}\n", o.test_map, counted(count, "test"));
  if (count == 0)
    text += base::error_line(
        "no test was seen: a method of an assembly that refers to xunit, NUnit, MSTest or TUnit, with their "
        "attributes");
  if (tests.lost != 0)
    text += base::error_line(fmt::format("the map is not whole: of {} it is not known in which test they ran",
                                         counted(tests.lost, "method or run")));
  print_stderr(text);
  return {};
}

// What the command's own exit code becomes.
int finish_cover(const CoverOptions& o, const cover::Coverage& coverage, int exit_code) {
  int code = exit_code;
  std::string text = o.quiet ? "" : cover_summary(coverage);
  const std::vector<std::string> changed = cover::changed_sources(coverage);
  for (size_t i = 0; i < changed.size() && i < kMostSaid; ++i)
    text += base::error_line(changed[i] + " has changed since it was compiled: lines are as they were then");
  if (changed.size() > kMostSaid)
    text += base::error_line(fmt::format("{} more sources have changed", changed.size() - kMostSaid));
  for (const std::string& path : o.outputs) {
    if (base::Status s = write(path, coverage); !s.ok()) {
      const int failed = fail(kFailure, s.message());
      code = code == kSuccess ? failed : code;
    } else if (!o.quiet) {
      text += "wrote " + path + "\n";
    }
  }
  print_stderr(text);
  const cover::Totals totals = totals_of(coverage);
  if (code != kSuccess) return code;
  const double share = percent(totals.lines_hit, totals.lines);
  return share >= o.fail_under
             ? code
             : fail(kTooFew, fmt::format("{:.2f}% of the lines ran, fewer than --fail-under {:g} wants",
                                         share, o.fail_under));
}

int cover_command(const CoverOptions& requested) {
  CoverOptions o = requested;
  if (o.outputs.empty()) o.outputs.push_back("coverage.html");
  if (base::Status s = check(o); !s.ok()) return fail(kUsage, s.message());
  if (asks_for_tests(o)) return print_tests_of({o.test_map, o.tests_of, o.tests_of_diff, o.quiet});
  base::Result<cover::Coverage> coverage = merged_files(o);
  if (!coverage.ok()) return fail(kFailure, coverage.message());
  if (o.command.empty()) return finish_cover(o, *coverage, kSuccess);
  const base::Result<std::string> agent = agent_path();
  if (!agent.ok()) return fail(kFailure, agent.message());
  if (base::Status s = check_agent_is_ours(*agent); !s.ok()) return fail(kUsage, s.message());
  base::Result<SessionDir> session = SessionDir::create();
  if (!session.ok()) return fail(kFailure, session.message());
  const base::Result<Environment> extra = cover_environment(o, *agent, session->path());
  if (!extra.ok()) return fail(kUsage, extra.message());
  watch_interrupts();
  base::Result<Target> target = Target::start(o.command, *extra);
  if (!target.ok()) return fail(kCannotStart, target.message());
  const TargetEnd end = wait_for_end(*target);
  const cover::Counted counted = counts_in(session->path());
  cover::LeftOut left_out;
  const cover::Mapping mapping{o.branches == "reached",
                               [&o](const std::string& path) { return wants(o, path); }};
  cover::TestMap tests;
  const cover::Coverage mapped =
      cover::map_counts(counted, mapping, &left_out, o.test_map.empty() ? nullptr : &tests);
  if (!o.quiet) print_stderr(losses(counted, left_out));
  if (mapped.modules.empty() && o.merged.empty()) {
    fail(kFailure,
         "nothing was covered: no .NET process (8 or later) of the command loaded an assembly with a "
         "portable PDB and sources on this machine; test assemblies are left out unless --include "
         "names them");
    return end.exit_code != 0 ? end.exit_code : kFailure;
  }
  if (const std::vector<std::string> others = cover::merge(mapped, &*coverage); !others.empty())
    return fail(kFailure, "cannot --merge with what was run now: " + others.front() +
                              " has changed since; cover both with the same sources");
  const int code = finish_cover(o, *coverage, end.exit_code);
  const std::string wrong = o.test_map.empty() ? "" : write_tests(o, tests);
  if (wrong.empty()) return code;
  const int failed = fail(kFailure, wrong);
  return code == kSuccess ? failed : code;
}

}  // namespace

void add_cover(CommandLine& line) {
  auto options = std::make_shared<CoverOptions>();
  Verb verb = line.verb("cover", "run a command, such as dotnet test, and say which lines and branches ran");
  verb.option(
          "--include", options->include,
          "cover assemblies of this name, or sources of this path: a pattern with * and ?, of a path if it "
          "has a slash (repeatable; default: all with a PDB and sources, but test assemblies)")
      .one_value_each();
  verb.option("--exclude", options->exclude, "leave these out, patterns as before (repeatable)")
      .one_value_each();
  verb.option("-o,--output", options->outputs,
              "file to write, kind by suffix: .cobertura.xml .info (LCOV) .html .cover (repeatable; default "
              "coverage.html)")
      .one_value_each();
  verb.option("--merge", options->merged, "add what an earlier run covered: its .cover file (repeatable)")
      .one_value_each();
  verb.option("--fail-under", options->fail_under,
              "exit with 3 if fewer lines ran than this many of a hundred")
      .between(0.0, 100.0);
  verb.option("--branches", options->branches,
              "an arm of a branch counts when it was taken (default), or when its target was reached by any "
              "way, as coverlet counts")
      .one_of({"taken", "reached"});
  verb.option(
      "--test-map", options->test_map,
      "file to write in which test each line ran, as JSON: xunit, NUnit, MSTest, TUnit; tests may run in "
      "parallel; slower");
  verb.option("--tests-of", options->tests_of,
              "of the map given with --test-map, print the tests that reach FILE:LINE or FILE:FIRST-LAST "
              "(repeatable)")
      .one_value_each();
  verb.option(
      "--tests-of-diff", options->tests_of_diff,
      "print those that reach what a unified diff changes, - for standard input; its old side is what the "
      "map was made of");
  verb.flag("--hits", options->hits, "count how often each line ran, not only whether; slower");
  verb.flag("-q,--quiet", options->quiet, "no summary");
  verb.option("command", options->command, "the command and its arguments, after --");
  verb.footer(
      "Examples:\n"
      "  walkabout cover -- dotnet test\n"
      "  walkabout cover -o coverage.cobertura.xml -o coverage.html --fail-under 80 -- dotnet test\n"
      "  walkabout cover --include 'Shop.*' --exclude '*/Generated/*' -o unit.cover -- dotnet test Unit\n"
      "  walkabout cover --merge unit.cover -o all.info -- dotnet run --project Shop.Web\n"
      "  walkabout cover --test-map tests.json -- dotnet test\n"
      "  git diff | walkabout cover --test-map tests.json --tests-of-diff -\n"
      "Every .NET process that the command starts is covered, however it ends. Nothing is built anew and no "
      "file\n"
      "is changed: code is probed when it is compiled.\n"
      "Exit code: the command's own (128 + signal when one ended it); 1 when nothing could be covered or "
      "written, 2\n"
      "for a wrong option, 3 when too few lines ran, 127 when the command cannot be started.");
  verb.action([options] { return cover_command(*options); });
}

}  // namespace walkabout::cli
