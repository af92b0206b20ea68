// What `run` and `attach` have in common: their options, and which of them the agent gets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "collect/rotated_files.h"
#include "wire/limits.h"
#include "wire/sources.h"

namespace walkabout::cli {

struct ProfilingOptions {
  std::vector<std::string> outputs;
  std::string events{wire::kUsualEvents};
  std::string interval = "99hz";
  std::string engine = "auto";
  std::string count;          // patterns of methods whose calls are counted, a line each: nothing is sampled
  std::string trace;          // likewise, of methods whose calls are traced
  std::string latency;        // traced calls that took as long are kept one by one; empty: none
  std::string hidden_values;  // which values of these are not to be read, a line each
  std::string trace_budget;   // of the CPU time, for a traced method's probes; empty: any
  std::string max_pause;      // for a look at the heap; empty: the agent's
  std::string every;          // continuous: a file each so long
  std::string keep;           // how many of them
  std::string budget;         // of the process's CPU time
  std::optional<Rotation> rotation;  // by complete(): set where every is
  uint32_t depth = wire::kUsualDepth;
  bool live = false;  // also the source "live"
  bool oracle = false;
  bool lines = false;
  bool async = false;
  bool unfold = false;
  bool quiet = false;
  bool redact = false;
  bool count_all = false;  // of `count` and `trace`: however many methods there are
  bool count_by_caller = false;
  bool trace_all = false;     // by the runtime's hooks; without patterns of every method
  bool takes_values = false;  // arguments and results of slow calls too

  // By a profiler beside the agent, in the runtime's main slot.
  bool changes_methods() const { return !count.empty() || (!trace.empty() && !trace_all); }
};

// *options must live as long as the verb.
void add_profiling_options(Verb verb, ProfilingOptions* options);

// Gives what was left out its default and checks the rest: can each output be written, is its kind known?
// Before anything is started.
base::Status complete(ProfilingOptions* options);

// Names and values of the agent's settings (agent/shared/options.h). REQUIRES: complete().
std::vector<std::pair<std::string, std::string>> agent_settings(const ProfilingOptions& options,
                                                                const std::string& socket);

}  // namespace walkabout::cli
