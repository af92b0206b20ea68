#include "cli/linux/profiling.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "base/duration.h"
#include "base/percent.h"
#include "base/system_error.h"
#include "formats/format.h"
#include "wire/limits.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

base::Status check_outputs(const std::vector<std::string>& outputs) {
  for (const std::string& path : outputs) {
    if (base::Status s = formats::check_suffix(path); !s.ok()) return s;
    fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) folder = ".";
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
      return base::system_error("cannot write " + path + ": " + folder.string());
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
    char* end = nullptr;
    const double hz = ::strtod(text.c_str(), &end);
    if (end == text.c_str() + text.size() - 2 && hz >= 1) ns = static_cast<uint64_t>(1e9 / hz);
  }
  if (!ns || *ns < wire::kMinIntervalNs || *ns > wire::kMaxIntervalNs) return {};
  return std::to_string(*ns) + "ns";
}

base::Status complete_rotation(ProfilingOptions* o) {
  if (o->outputs.empty()) o->outputs.push_back("walkabout-%pid-%t.walk");
  if (o->outputs.size() > 1)
    return base::Status::error(
        "with --every there is one -o; `walkabout convert` makes the other kinds of each file");
  base::Result<Rotation> rotation = make_rotation(o->outputs[0], o->every, o->keep);
  if (!rotation.ok()) return rotation.status();
  if (base::Status s = check_folder(rotation->pattern); !s.ok()) return s;
  o->rotation = std::move(*rotation);
  return {};
}

}  // namespace

void add_profiling_options(Verb verb, ProfilingOptions* options) {
  verb.option("-o,--output", options->outputs,
              "file to write, kind by suffix: .walk .html .collapsed .speedscope.json .pb.gz "
              "(repeatable; default walkabout.html)")
      .one_value_each();
  verb.option(
      "--events", options->events,
      "what to sample, NAME, NAME=PERIOD or NAME=PART+PART with commas between, or default, or all: " +
          wire::sources_help());
  verb.flag("--live", options->live,
            "also objects that still exist, by where they were allocated: --events …,live");
  verb.option("-i,--interval", options->interval,
              "CPU time between samples of a thread, 100us … 1s, or a rate: 99hz (default)");
  verb.option("--engine", options->engine,
              "what ticks: perf events, CPU timers, or the better one allowed (auto)")
      .one_of({"auto", "perf", "timer"});
  verb.option("--depth", options->depth, "frames kept of one stack (default 2048)")
      .between(wire::kMinDepth, wire::kMaxDepth);
  verb.flag("--oracle", options->oracle,
            "also run the CLR's own walk on every sample, for `walkabout verify`");
  verb.flag(
      "--lines", options->lines,
      "also source lines and inlined functions: of managed code from PDBs beside or in its DLLs, of native "
      "code from DWARF");
  verb.flag("--async", options->async,
            "keep with each sample the chain of async methods that await its own, for `report --async`");
  verb.option(
      "--max-pause", options->max_pause,
      "with --events async: how long the program may stand for a look at its heap, 1ms … 60s (200ms)");
  verb.flag("--unfold", options->unfold, "show unnamed frames of stripped libraries one by one");
  verb.flag("--redact", options->redact,
            "leave the command line, the host's name and the folders of all paths out of the recording");
  verb.option("--every", options->every,
              "go on for days: a new file each so long (60s, 1h); "
              "-o names them: %host, %pid, %t (when begun), %n (number)");
  verb.option(
      "--keep", options->keep,
      "with --every: how many files of that name stay: 24, 500MB, 7d, or several with commas between");
  verb.option("--budget", options->budget,
              "share of the program's CPU time that sampling may take (1%); over it the rate is lowered");
  verb.flag("-q,--quiet", options->quiet, "no summary");
}

base::Status complete(ProfilingOptions* options) {
  if (!options->every.empty()) {
    if (base::Status s = complete_rotation(options); !s.ok()) return s;
  } else {
    if (!options->keep.empty())
      return base::Status::error("--keep is for --every: without it there is one file");
    if (options->outputs.empty()) options->outputs.push_back("walkabout.html");
    if (base::Status s = check_outputs(options->outputs); !s.ok()) return s;
  }
  if (!options->budget.empty() && !base::parse_percent(options->budget))
    return base::Status::error("--budget " + options->budget +
                               " is not a share of the CPU time like 1% or 0.5%");
  if (const auto events = wire::parse_events(options->events); !events.ok())
    return base::Status::error("--events: " + events.message());
  else if (options->live && !wire::is_on(*events, wire::source_id("live")))
    options->events += ",live";
  if (!options->max_pause.empty()) {
    const std::optional<uint64_t> ns = base::parse_duration(options->max_pause);
    if (!ns || *ns < wire::kLeastMaxPauseNs || *ns > wire::kMostMaxPauseNs)
      return base::Status::error("--max-pause " + options->max_pause + " is not a time from 1ms to 60s");
  }
  const std::string interval = interval_for_agent(options->interval);
  if (interval.empty()) {
    return base::Status::error("--interval " + options->interval +
                               " is not a time from 100us to 1s (or a rate like 99hz)");
  }
  options->interval = interval;
  return {};
}

std::vector<std::pair<std::string, std::string>> agent_settings(const ProfilingOptions& options,
                                                                const std::string& socket) {
  return {{"WALKABOUT_SOCKET", socket},
          {"WALKABOUT_EVENTS", options.events},
          {"WALKABOUT_INTERVAL", options.interval},
          {"WALKABOUT_ENGINE", options.engine},
          {"WALKABOUT_DEPTH", std::to_string(options.depth)},
          {"WALKABOUT_ORACLE", options.oracle ? "1" : "0"},
          {"WALKABOUT_LINES", options.lines ? "1" : "0"},
          {"WALKABOUT_ASYNC", options.async ? "1" : "0"},
          {"WALKABOUT_MAX_PAUSE", options.max_pause},
          {"WALKABOUT_EVERY", options.every},
          {"WALKABOUT_BUDGET", options.budget},
          {"WALKABOUT_COUNT", options.count},
          {"WALKABOUT_COUNT_ALL", options.count_all ? "1" : "0"},
          {"WALKABOUT_COUNT_BY_CALLER", options.count_by_caller ? "1" : "0"},
          {"WALKABOUT_TRACE", options.trace},
          {"WALKABOUT_TRACE_ALL", options.trace_all ? "1" : "0"},
          {"WALKABOUT_TRACE_LATENCY", options.latency},
          {"WALKABOUT_TRACE_VALUES", options.takes_values ? "1" : ""},
          {"WALKABOUT_TRACE_REDACT", options.hidden_values},
          {"WALKABOUT_TRACE_BUDGET", options.trace_budget}};
}

}  // namespace walkabout::cli
