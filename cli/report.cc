#include "cli/report.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/duration.h"
#include "cli/calls_report.h"
#include "cli/pending_report.h"
#include "cli/pool_report.h"
#include "cli/recordings_of.h"
#include "cli/report_view.h"
#include "cli/startup_report.h"
#include "cli/trace_report.h"
#include "console/exit_codes.h"
#include "console/numbers.h"
#include "profile/build/load.h"
#include "profile/build/traces.h"
#include "profile/query/by_line.h"
#include "profile/query/named_source.h"

namespace walkabout::cli {
namespace {

constexpr char kLive[] = "live";
constexpr char kExceptions[] = "exceptions";
constexpr char kPoolHint[] =
    "Workers of the thread pool were blocked, or work waited for them: report --pool shows where.";

constexpr char kAsyncFoldedHint[] =
    "What runs async methods, tasks and work of the pool is folded, (async): --all-frames shows it.";

// "1.5" (seconds) or "1500ms".
std::optional<uint64_t> time_us(const std::string& text) {
  std::optional<uint64_t> ns = base::parse_duration(text);
  if (!ns) ns = base::parse_duration(text + "s");
  return ns ? std::optional<uint64_t>(*ns / 1000) : std::nullopt;
}

std::string wrong_time(const std::string& text) {
  return time_us(text) ? "" : text + " is no time: write 1.5 (seconds) or 1500ms";
}

void add_filter_options(Verb verb, profile::Filter& filter) {
  verb.option("--event", filter.event,
              "the event to show: cpu (default), wall, …; stats lists those there are")
      .shown_as("NAME");
  verb.option("--value", filter.value, "of an event with several values the one to sum (default: the first)")
      .shown_as("NAME");
  verb.option("--thread", filter.thread, "only threads with this in their name, or with this TID");
  verb.option(
          "--from", [&filter](const std::string& t) { filter.from_us = *time_us(t); },
          "only samples from this time on: 1.5 (seconds) or 1500ms")
      .checked(wrong_time, "TIME");
  verb.option(
          "--to", [&filter](const std::string& t) { filter.to_us = *time_us(t); },
          "only samples before this time")
      .checked(wrong_time, "TIME");
  verb.option("--during", filter.during,
              "only samples within an event of this kind: gc, locks, waits, jit, …; of all threads for gc")
      .one_value_each()
      .shown_as("NAME");
  verb.option("--not-during", filter.not_during, "only samples outside of events of this kind")
      .one_value_each()
      .shown_as("NAME");
  verb.option("--focus", filter.focus,
              "only samples with a function on the stack whose name has this regular expression");
  verb.flag("--hide-runtime", filter.hide_runtime,
            "give the time of the CLR's own native frames to the methods that called them");
}

base::Status check_range(const profile::Filter& filter, uint64_t duration_us) {
  const std::string lasts = "the recording lasts " + duration(duration_us * 1000);
  if (filter.from_us >= filter.to_us)
    return base::Status::error("--from " + duration(filter.from_us * 1000) + " is not before --to " +
                               duration(filter.to_us * 1000) + "; " + lasts);
  if (filter.from_us > duration_us)
    return base::Status::error("--from " + duration(filter.from_us * 1000) + " is behind the end: " + lasts);
  return {};
}

// Nothing at all looks like a recording without samples.
base::Status check_focus_found(const profile::Profile& profile, const profile::Filter& filter) {
  if (filter.focus.empty() || !profile.samples.empty()) return {};
  const profile::Filter all;
  const bool some = !filter.thread.empty() || filter.from_us != all.from_us || filter.to_us != all.to_us;
  return base::Status::error("no stack " +
                             (filter.value.empty() ? "" : "with anything of '" + filter.value + "' ") +
                             "has a frame that matches --focus '" + filter.focus + "'" +
                             (some ? " among those of --thread, --from and --to" : "") +
                             "; walkabout report without it shows the names there are");
}

// What the recording is read for. Events that others are chosen by are needed whole.
profile::Filter loading_filter(const profile::Filter& filter) {
  if (!filter.by_events()) return filter;
  return {.during = filter.during, .not_during = filter.not_during};
}

// A second look: at all events, which prove it, in the order of time.
std::optional<profile::Unhandled> find_unhandled(const ReportOptions& options,
                                                 const profile::Profile& loaded) {
  if (options.filter.event != kExceptions || loaded.complete) return std::nullopt;
  const base::Result<profile::Profile> all =
      profile::load(options.file, {.unfold = options.unfold, .async = options.async, .in_time_order = true},
                    options.process);
  return all.ok() ? profile::unhandled(*all) : std::nullopt;
}

// --to alone chooses from a start.
base::Status check_startup(const ReportOptions& options) {
  profile::Filter rest = options.filter;
  rest.to_us = profile::Filter().to_us;
  if (profile::leaves_all(rest) && rest.event.empty() && rest.value.empty() && !rest.hide_runtime &&
      !options.live && !options.tree && !options.lines && !options.folding.given())
    return {};
  return base::Status::error(
      "--startup is about all of a program's start: only --to, --top, --process and --json go with it");
}

int report_startup(const ReportOptions& options) {
  if (base::Status valid = check_startup(options); !valid.ok()) return fail(kUsage, valid.message());
  const base::Result<RecordingFiles> files = recordings_of(options.file, options.process);
  if (!files.ok()) return fail(kFailure, files.message());
  if (files->files.size() > 1)
    return fail(kUsage, options.file + " has " + std::to_string(files->files.size()) +
                            " processes, each with a start of its own: choose one with --process PID");
  // An index has looked for the process already.
  const uint32_t process = files->is_index ? 0 : options.process;
  const bool is_usual = options.filter.to_us == profile::Filter().to_us;
  const uint64_t end_us = is_usual ? kUsualStartupUs : options.filter.to_us;
  const base::Result<profile::Profile> loaded =
      profile::load(files->files[0].path,
                    {.unfold = options.unfold,
                     .async = options.async,
                     .in_time_order = true,
                     .filter = {.to_us = end_us + profile::kToldLaterUs}},
                    process);
  if (!loaded.ok()) return fail(kFailure, loaded.message());
  const base::Result<profile::Startup> startup = profile::startup(*loaded, end_us, options.top);
  if (!startup.ok()) return fail(kUsage, startup.message());
  options.json ? print_json(startup_json(*loaded, *startup))
               : print(startup_text(*loaded, *startup, standard_output()));
  return kSuccess;
}

// Which threads and which time are looked at.
base::Status check_pool(const ReportOptions& options) {
  profile::Filter rest = options.filter;
  const profile::Filter all;
  rest.thread = all.thread;
  rest.from_us = all.from_us;
  rest.to_us = all.to_us;
  if (profile::leaves_all(rest) && rest.event.empty() && rest.value.empty() && !rest.hide_runtime &&
      !options.live && !options.tree && !options.lines && !options.startup && !options.folding.given())
    return {};
  return base::Status::error(
      "--pool is about a process's thread pool: only --from, --to, --thread, --top, --process and --json go "
      "with it");
}

struct Pool {
  profile::Profile profile;
  PoolReport report;
};

base::Result<profile::Profile> load_for_pool(const std::string& path, uint32_t process,
                                             const ReportOptions& options) {
  const profile::Filter& filter = options.filter;
  const uint64_t no_end = profile::Filter().to_us;
  const uint64_t read_to =
      filter.to_us > no_end - profile::kToldLaterUs ? no_end : filter.to_us + profile::kToldLaterUs;
  return profile::load(
      path,
      {.unfold = options.unfold, .async = options.async, .in_time_order = true, .filter = {.to_us = read_to}},
      process);
}

// An error: the options choose nothing of it.
base::Result<Pool> pool_of(profile::Profile loaded, const ReportOptions& options) {
  const profile::Filter& filter = options.filter;
  if (const base::Status s = check_range(filter, loaded.duration_us); !s.ok()) return s;
  Pool pool;
  pool.report = {filter.from_us, std::min(filter.to_us, loaded.duration_us), {}, {}, "", options.top};
  PoolReport& report = pool.report;
  report.workers = profile::pool_workers(loaded, report.begin_us, report.end_us);
  for (const char* event : {"wall", "waits"}) {
    if (report.blocked_event.empty() && profile::NamedSource(loaded, event).recorded())
      report.blocked_event = event;
  }
  if (report.blocked_event.empty()) {
    pool.profile = std::move(loaded);
    return pool;
  }
  base::Result<profile::Profile> chosen = profile::filtered(
      std::move(loaded), {.event = report.blocked_event, .value = "", .thread = filter.thread});
  if (!chosen.ok()) return chosen.status();
  pool.profile = std::move(*chosen);
  report.blocked = profile::pool_blocked(pool.profile, report.begin_us, report.end_us, profile::kPoolParts);
  return pool;
}

// Says of each recording of the file what `one` adds, to the array or to the text. title: stands before what
// is wrong with it; empty where there is but one. Otherwise than with kSuccess `one` ends it.
struct OneRecording {
  const RecordingFile& file;
  std::string title;
  bool by_index;  // which has looked for the process already
};
template <typename One>
int report_each(const ReportOptions& options, One one) {
  const base::Result<RecordingFiles> files = recordings_of(options.file, options.process);
  if (!files.ok()) return fail(kFailure, files.message());
  const bool is_set = files->files.size() > 1;
  Json all{{"processes", Json::array()}};
  std::string text;
  for (const RecordingFile& file : files->files) {
    const OneRecording recording{file, is_set ? file.title() + ": " : "", files->is_index};
    if (const int done = one(recording, all["processes"], text); done != kSuccess) return done;
  }
  if (options.json)
    print_json(is_set ? all : all["processes"][0]);
  else
    print(text);
  return kSuccess;
}

void add_paragraph(const std::string& more, std::string& text) { text += (text.empty() ? "" : "\n") + more; }

int report_pool(const ReportOptions& options) {
  if (base::Status valid = check_pool(options); !valid.ok()) return fail(kUsage, valid.message());
  return report_each(options, [&](const OneRecording& one, Json& processes, std::string& text) {
    base::Result<profile::Profile> loaded =
        load_for_pool(one.file.path, one.by_index ? 0 : options.process, options);
    if (!loaded.ok()) return fail(kFailure, one.title + loaded.message());
    const base::Result<Pool> pool = pool_of(std::move(*loaded), options);
    if (!pool.ok()) return fail(kUsage, one.title + pool.message());
    if (options.json)
      processes.push_back(pool_json(pool->profile, pool->report));
    else
      add_paragraph(pool_text(pool->profile, pool->report, standard_output()), text);
    return kSuccess;
  });
}

// Of a recording of calls that were counted there is nothing else to show.
bool has_counts_alone(const std::string& file, uint32_t process) {
  const base::Result<RecordingFiles> files = recordings_of(file, process);
  if (!files.ok() || files->files.empty()) return false;
  const std::string& path = files->files[0].path;
  return profile::counts_calls(path) && !profile::has_traces(path);
}

int report_calls(const ReportOptions& options) {
  return report_each(options, [&](const OneRecording& one, Json& processes, std::string& text) {
    const base::Result<profile::Calls> calls = profile::load_calls(one.file.path);
    if (!calls.ok()) return fail(kFailure, one.title + calls.message());
    if (options.json)
      processes.push_back(calls_json(*calls, options.top));
    else
      add_paragraph(calls_text(*calls, options.top, standard_output()), text);
    return kSuccess;
  });
}

// Where nothing else is asked for, that is shown of a recording of traced calls.
bool shows_traces(const ReportOptions& options) {
  if (!profile::leaves_all(options.filter) || !options.filter.event.empty() ||
      !options.filter.value.empty() || options.filter.hide_runtime || options.live || options.tree ||
      options.lines || options.folding.given())
    return false;
  const base::Result<RecordingFiles> files = recordings_of(options.file, options.process);
  return files.ok() && std::any_of(files->files.begin(), files->files.end(),
                                   [](const RecordingFile& one) { return profile::has_traces(one.path); });
}

int report_traces(const ReportOptions& options) {
  return report_each(options, [&](const OneRecording& one, Json& processes, std::string& text) {
    const base::Result<profile::Profile> trace = load_trace(one.file.path);
    if (!trace.ok() && one.title.empty()) return fail(kFailure, one.file.path + ": " + trace.message());
    if (!trace.ok())
      add_paragraph(one.title + trace.message() + "\n", text);
    else if (options.json)
      processes.push_back(trace_json(*trace, options.top));
    else
      add_paragraph(trace_text(*trace, options.top, standard_output()), text);
    return kSuccess;
  });
}

base::Status check_pending(const ReportOptions& options) {
  profile::Filter rest = options.filter;
  rest.to_us = profile::Filter().to_us;
  if (profile::leaves_all(rest) && rest.event.empty() && rest.value.empty() && !rest.hide_runtime &&
      !options.live && !options.tree && !options.lines && !options.folding.given())
    return {};
  return base::Status::error(
      "--pending is about all async methods that wait at a moment: only --to, --top, --process and --json go "
      "with it");
}

int report_pending(const ReportOptions& options) {
  if (base::Status valid = check_pending(options); !valid.ok()) return fail(kUsage, valid.message());
  return report_each(options, [&](const OneRecording& one, Json& processes, std::string& text) {
    const base::Result<profile::Pending> pending = profile::load_pending(one.file.path, options.filter.to_us);
    if (!pending.ok()) return fail(kFailure, one.title + pending.message());
    if (const std::string none = no_snapshot(*pending); !none.empty()) {
      if (one.title.empty()) return fail(kFailure, one.file.path + ": " + none);
      text += one.title + none + "\n";
    } else if (options.json) {
      processes.push_back(pending_json(*pending, options.top));
    } else {
      add_paragraph(pending_text(*pending, options.top, standard_output()), text);
    }
    return kSuccess;
  });
}

// Programs, and tables of lines, get the frames as they are. What has nothing to fold is not folded.
profile::Folding folding_of(const ReportOptions& options, const profile::Profile& profile) {
  const bool exact = options.json || (options.lines && !options.tree);
  const profile::Folding folding =
      options.folding.folding(exact ? profile::Folding::kNone : profile::Folding::kAsync);
  const bool any = std::any_of(profile.nodes.begin() + 1, profile.nodes.end(),
                               [&profile, folding](const profile::Node& node) {
                                 return profile::folds(profile.frames[node.frame].origin, folding);
                               });
  return any ? folding : profile::Folding::kNone;
}

void add(const std::vector<std::string>& sentences, std::vector<std::string>& to) {
  to.insert(to.end(), sentences.begin(), sentences.end());
}

}  // namespace

int report(const ReportOptions& options) {
  if (base::Status valid = options.folding.check(); !valid.ok()) return fail(kUsage, valid.message());
  if (options.pool) return report_pool(options);
  if (options.startup) return report_startup(options);
  if (options.pending) return report_pending(options);
  if (shows_traces(options)) return report_traces(options);
  if (has_counts_alone(options.file, options.process)) return report_calls(options);
  if (base::Status valid = profile::check(options.filter); !valid.ok()) return fail(kUsage, valid.message());
  base::Result<profile::Profile> loaded = profile::load(options.file,
                                                        {.unfold = options.unfold,
                                                         .async = options.async,
                                                         .in_time_order = false,
                                                         .filter = loading_filter(options.filter),
                                                         .lines = options.lines,
                                                         .inlined = !options.no_inlined},
                                                        options.process);
  if (!loaded.ok()) return fail(kFailure, loaded.message());
  if (const base::Status s = check_range(options.filter, loaded->duration_us); !s.ok())
    return fail(kUsage, s.message());
  const std::optional<profile::Unhandled> unhandled = find_unhandled(options, *loaded);
  std::vector<std::string> hints;
  if (profile::is_pool_starved(*loaded)) hints.emplace_back(kPoolHint);
  profile::Filter rest = options.filter;
  if (loaded->chosen && !options.filter.by_events()) {
    rest = {.event = options.filter.event,
            .value = options.filter.value,
            .thread = options.filter.thread,
            .hide_runtime = options.filter.hide_runtime};
  }
  base::Result<profile::Profile> profile = profile::filtered(std::move(*loaded), rest);
  if (!profile.ok()) return fail(kUsage, profile.message());
  if (const base::Status s = check_focus_found(*profile, options.filter); !s.ok())
    return fail(kUsage, s.message());
  add(unknown_names(options.folding, *profile), hints);
  profile::apply(options.folding.rules, profile->frames);
  add(nothing_mine(options.folding, *profile), hints);
  const profile::Folding folding = folding_of(options, *profile);
  if (folding == profile::Folding::kAsync && !options.folding.given()) hints.emplace_back(kAsyncFoldedHint);
  if (options.lines && !options.tree) *profile = profile::by_line(std::move(*profile));
  // What threads waited in is read from whole stacks.
  const std::optional<profile::Profile> folded =
      folding == profile::Folding::kNone ? std::nullopt : std::optional(profile::folded(*profile, folding));
  const profile::Profile& shown = folded ? *folded : *profile;
  const profile::Totals totals = profile::sum_up(shown);
  if (options.json) {
    print_json(report_json(shown, *profile, totals, options, unhandled, hints));
  } else {
    print(report_text(shown, *profile, totals, options, standard_output(), hints, unhandled));
  }
  return kSuccess;
}

void add_report(CommandLine& line) {
  auto options = std::make_shared<ReportOptions>();
  Verb verb = line.verb("report", "show where a recording's CPU time, or another event, went");
  verb.option("file", options->file, "the recording").required().shown_as("FILE.walk");
  add_filter_options(verb, options->filter);
  verb.flag("--live", options->live,
            "as --event live: objects that exist at the end, or at --to, of those allocated since --from");
  verb.flag("--startup", options->startup,
            "what the first 5 s, or those before --to, were spent on: compiling, loading, collecting");
  verb.flag("--pool", options->pool,
            "the thread pool: its workers, why it added some, and where they were blocked");
  verb.flag(
      "--pending", options->pending,
      "the async methods that waited at the end, or at --to, and who awaits them (of recordings with the "
      "event async)");
  verb.option("--process", options->process, "of several processes only this one").shown_as("PID");
  verb.flag("--tree", options->tree, "callers above callees instead of the two tables");
  verb.flag("--lines", options->lines, "source lines instead of functions (recorded with run --lines)");
  verb.flag("--no-inlined", options->no_inlined,
            "no frames of inlined functions: their time is their callers'");
  verb.option("--min", options->min_percent, "tree: leave out what is below this percentage (default 1)")
      .between(0.0, 100.0);
  verb.option("--top", options->top, "tables: so many rows (default 20)");
  verb.flag("--async", options->async,
            "callers of an async method are those who await it (recorded with --async)");
  verb.flag("--unfold", options->unfold,
            "show unnamed frames of stripped libraries one by one, with offsets");
  add_folding_options(verb, options->folding);
  verb.flag("--json", options->json, "for programs (keys: docs/json.md)");
  verb.footer(std::string("Examples:\n"
                          "  walkabout report app.walk\n"
                          "  walkabout report app.walk --tree --thread main --hide-runtime\n"
                          "  walkabout report app.walk --my-code --tree\n"
                          "  walkabout report app.walk --all-frames --tree\n"
                          "  walkabout report app.walk --from 2 --to 3.5 --focus 'Json|Regex'\n"
                          "  walkabout report app.walk --lines --focus Json\n"
                          "  walkabout report app.walk --event wall\n"
                          "  walkabout report app.walk --during gc\n"
                          "  walkabout report app.walk --startup --to 2\n"
                          "  walkabout report app.walk --pool --from 60 --to 90\n"
                          "  walkabout report app.walk --pending --to 30\n"
                          "  walkabout report app.walk --live --from 60 --to 120\n"
                          "  walkabout report app.walk --json --top 100\n") +
              kExitCodesHelp);
  verb.action([options] {
    std::string& event = options->filter.event;
    if (options->live && !event.empty() && event != kLive)
      return fail(kUsage, "--live is --event live; leave out --event " + event);
    if (options->live) event = kLive;
    if (event == kLive && options->filter.by_events())
      return fail(kUsage, "objects that exist at a moment are chosen by --from and --to, not by --during");
    return report(*options);
  });
}

}  // namespace walkabout::cli
