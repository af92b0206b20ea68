// The agent's options: environment variables set by the CLI (or by hand: docs/continuous.md), or the same
// names and values as the client data of an attach (wire/client_data.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/limits.h"
#include "wire/method_pattern.h"
#include "wire/sources.h"

namespace walkabout::agent {

enum class RequestedEngine : uint8_t { kAuto, kPerf, kTimer };

struct Options {
  std::string socket;  // WALKABOUT_SOCKET: where the collector listens
  std::string output;  // WALKABOUT_OUTPUT: what files a collector of our own is to write
  std::string stream;  // WALKABOUT_STREAM: a file for the raw stream (tests)
  uint64_t interval_ns = wire::kUsualIntervalNs;  // WALKABOUT_INTERVAL: "10ms", "1000us", "1s"; default 99 Hz
  uint32_t depth = wire::kUsualDepth;             // WALKABOUT_DEPTH: frames kept of one stack
  RequestedEngine engine = RequestedEngine::kAuto;  // WALKABOUT_ENGINE: auto, perf, timer
  bool oracle = false;                              // WALKABOUT_ORACLE=1
  bool shadow_oracle = false;                       // WALKABOUT_ORACLE=shadow, with traced calls (tests)
  bool lines = false;                               // WALKABOUT_LINES=1
  bool async = false;                               // WALKABOUT_ASYNC=1
  // WALKABOUT_MAX_PAUSE: "200ms": how long the program may stand while its heap is looked through
  uint64_t max_pause_ns = wire::kUsualMaxPauseNs;
  uint64_t every_ns = 0;    // WALKABOUT_EVERY: "60s": how long one recording goes; 0: to the end
  uint32_t budget_ppm = 0;  // WALKABOUT_BUDGET: "1%" of the process's CPU time; 0: no bound
  std::string cli;          // WALKABOUT_CLI: the program that is the collector
  // WALKABOUT_EVENTS: "cpu,wall=10ms" (wire/sources.h)
  std::vector<wire::SourceChoice> events = {{base::SourceId(1)}};
  // WALKABOUT_COUNT: patterns of methods whose calls are counted (wire/method_pattern.h), a line each. Then
  // nothing is sampled.
  std::vector<wire::MethodPattern> count;
  bool count_all = false;        // WALKABOUT_COUNT_ALL=1: however many they are, of traced ones too
  bool count_by_caller = false;  // WALKABOUT_COUNT_BY_CALLER=1: also by who calls them
  // WALKABOUT_TRACE: likewise, of methods whose calls are traced. Then the source "call" is on.
  std::vector<wire::MethodPattern> trace;
  // WALKABOUT_TRACE_ALL=1: by the runtime's hooks; without patterns of every method.
  bool trace_all = false;
  bool keeps_slow = false;        // WALKABOUT_TRACE_LATENCY: calls that took as long, "10ms", one by one
  uint64_t latency_ns = 0;        // of them
  bool takes_values = false;      // WALKABOUT_TRACE_VALUES=1: their arguments and results too
  std::string redact;             // WALKABOUT_TRACE_REDACT: which of these are not to be read, a line each
  uint32_t trace_budget_ppm = 0;  // WALKABOUT_TRACE_BUDGET: of the CPU time, for a method's probes; 0: any
  bool children = false;          // WALKABOUT_CHILDREN=1: also below a process that is profiled
};

// An error names the variable and what it may be.
base::Result<Options> options_from_environment();
// Another profiler has the slot, and we are only notified: WALKABOUT_BESIDE=1, or, where nothing says that
// the environment started us (an attach), the variables that started another.
bool beside_another_profiler();
base::Result<Options> options_from_client_data(std::string_view data);

}  // namespace walkabout::agent
