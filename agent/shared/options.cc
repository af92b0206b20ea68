#include "agent/shared/options.h"

#include <stdlib.h>

#include <charconv>
#include <utility>

#include "base/duration.h"
#include "base/percent.h"
#include "wire/client_data.h"

namespace walkabout::agent {
namespace {

// The value is not shown: it may have been meant for something else.
base::Status wrong(const char* name, const char* allowed) {
  return base::Status::error(std::string(name) + " is not " + allowed);
}

std::string variable(const char* name) {
  const char* value = ::getenv(name);
  return value != nullptr ? value : "";
}

// Cold: what runs once is to be small.

// When the agent begins a new recording, and what sampling may cost.
template <typename Get>
[[gnu::cold]] base::Status read_bounds(Get get, Options* o) {
  if (const std::string v = get("WALKABOUT_EVERY"); !v.empty()) {
    const auto ns = base::parse_duration(v);
    if (!ns || *ns < wire::kMinEveryNs) return wrong("WALKABOUT_EVERY", "a time of at least 1s");
    o->every_ns = *ns;
  }
  if (const std::string v = get("WALKABOUT_BUDGET"); !v.empty()) {
    const auto ppm = base::parse_percent(v);
    if (!ppm) return wrong("WALKABOUT_BUDGET", "a share of the CPU time like 1% or 0.5%");
    o->budget_ppm = *ppm;
  }
  if (const std::string v = get("WALKABOUT_MAX_PAUSE"); !v.empty()) {
    const auto ns = base::parse_duration(v);
    if (!ns || *ns < wire::kLeastMaxPauseNs || *ns > wire::kMostMaxPauseNs)
      return wrong("WALKABOUT_MAX_PAUSE", "a time from 1ms to 60s");
    o->max_pause_ns = *ns;
  }
  return {};
}

// Which methods get probes, and which.
template <typename Get>
[[gnu::cold]] base::Status read_probes(Get get, Options* o) {
  const auto patterns = [&get](const char* name, std::vector<wire::MethodPattern>* to) -> base::Status {
    const std::string lines = get(name);
    if (lines.empty()) return {};
    base::Result<std::vector<wire::MethodPattern>> parsed = wire::parse_method_patterns(lines);
    if (!parsed.ok()) return base::Status::error(std::string(name) + ": " + parsed.message());
    *to = std::move(*parsed);
    return {};
  };
  if (base::Status s = patterns("WALKABOUT_COUNT", &o->count); !s.ok()) return s;
  if (base::Status s = patterns("WALKABOUT_TRACE", &o->trace); !s.ok()) return s;
  o->count_all = get("WALKABOUT_COUNT_ALL") == "1";
  o->count_by_caller = get("WALKABOUT_COUNT_BY_CALLER") == "1";
  o->trace_all = get("WALKABOUT_TRACE_ALL") == "1";
  const bool traces = o->trace_all || !o->trace.empty();
  if (!o->count.empty() && traces)
    return base::Status::error("WALKABOUT_COUNT and WALKABOUT_TRACE do not go together");
  if ((!o->count.empty() || traces) && o->every_ns != 0)
    return base::Status::error("WALKABOUT_COUNT, WALKABOUT_TRACE and WALKABOUT_EVERY do not go together");
  if (!o->count.empty()) o->events.clear();
  if (const std::string v = get("WALKABOUT_TRACE_LATENCY"); !v.empty()) {
    const auto ns = base::parse_duration(v);
    if (!ns) return wrong("WALKABOUT_TRACE_LATENCY", "a time like 10ms");
    o->latency_ns = *ns;
    o->keeps_slow = true;
  }
  o->takes_values = get("WALKABOUT_TRACE_VALUES") == "1";
  o->redact = get("WALKABOUT_TRACE_REDACT");
  if (const std::string v = get("WALKABOUT_TRACE_BUDGET"); !v.empty()) {
    const auto ppm = base::parse_percent(v);
    if (!ppm) return wrong("WALKABOUT_TRACE_BUDGET", "a share of the CPU time like 5%");
    o->trace_budget_ppm = *ppm;
  }
  constexpr base::SourceId kCall = wire::source_id("call");
  if (!traces && wire::is_on(o->events, kCall))
    return base::Status::error("WALKABOUT_EVENTS: `call` is of `walkabout trace` alone");
  if (traces && !wire::is_on(o->events, kCall)) o->events.push_back({kCall});
  return {};
}

// get: the value of a name, empty if it has none.
template <typename Get>
[[gnu::cold]] base::Result<Options> read_options(Get get) {
  Options o;
  o.socket = get("WALKABOUT_SOCKET");
  o.output = get("WALKABOUT_OUTPUT");
  o.stream = get("WALKABOUT_STREAM");
  o.cli = get("WALKABOUT_CLI");
  o.children = get("WALKABOUT_CHILDREN") == "1";
  o.shadow_oracle = get("WALKABOUT_ORACLE") == "shadow";
  o.oracle = o.shadow_oracle || get("WALKABOUT_ORACLE") == "1";
  o.lines = get("WALKABOUT_LINES") == "1";
  o.async = get("WALKABOUT_ASYNC") == "1";
  if (const std::string v = get("WALKABOUT_INTERVAL"); !v.empty()) {
    const auto ns = base::parse_duration(v);
    if (!ns || *ns < wire::kMinIntervalNs || *ns > wire::kMaxIntervalNs) {
      return wrong("WALKABOUT_INTERVAL", "a time from 100us to 1s");
    }
    o.interval_ns = *ns;
  }
  if (const std::string v = get("WALKABOUT_DEPTH"); !v.empty()) {
    const auto [end, error] = std::from_chars(v.data(), v.data() + v.size(), o.depth);
    if (error != std::errc() || end != v.data() + v.size() || o.depth < wire::kMinDepth ||
        o.depth > wire::kMaxDepth) {
      return wrong("WALKABOUT_DEPTH", "a number from 16 to 65536");
    }
  }
  if (const std::string v = get("WALKABOUT_ENGINE"); !v.empty()) {
    if (v == "auto")
      o.engine = RequestedEngine::kAuto;
    else if (v == "perf")
      o.engine = RequestedEngine::kPerf;
    else if (v == "timer")
      o.engine = RequestedEngine::kTimer;
    else
      return wrong("WALKABOUT_ENGINE", "auto, perf or timer");
  }
  if (const std::string v = get("WALKABOUT_EVENTS"); !v.empty()) {
    base::Result<std::vector<wire::SourceChoice>> events = wire::parse_events(v);
    if (!events.ok()) return base::Status::error("WALKABOUT_EVENTS: " + events.message());
    o.events = std::move(*events);
  }
  if (base::Status s = read_bounds(get, &o); !s.ok()) return s;
  if (base::Status s = read_probes(get, &o); !s.ok()) return s;
  if (o.socket.empty() && o.output.empty() && o.stream.empty()) {
    return base::Status::error(
        "none of WALKABOUT_SOCKET, WALKABOUT_OUTPUT and WALKABOUT_STREAM says where the recording goes");
  }
  return o;
}

}  // namespace

base::Result<Options> options_from_environment() { return read_options(variable); }

bool beside_another_profiler() {
  if (const std::string beside = variable("WALKABOUT_BESIDE"); !beside.empty()) return beside == "1";
  for (const char* started : {"WALKABOUT_SOCKET", "WALKABOUT_OUTPUT", "WALKABOUT_STREAM"}) {
    if (!variable(started).empty()) return false;
  }
  return ::strtoul(variable("CORECLR_ENABLE_PROFILING").c_str(), nullptr, 16) != 0 &&
         !variable("CORECLR_PROFILER").empty();
}

base::Result<Options> options_from_client_data(std::string_view data) {
  return read_options([data](const char* name) { return wire::client_value(data, name); });
}

}  // namespace walkabout::agent
