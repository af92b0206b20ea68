#include "formats/html_trace.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "formats/call_lanes.h"
#include "profile/query/trace_notes.h"

namespace walkabout::formats {
namespace {

using profile::CallFigures;
using profile::Profile;
using profile::SlowCall;
using profile::Traces;
using TraceJson = nlohmann::ordered_json;

constexpr size_t kMostMethods = 20'000;
constexpr size_t kMostNodes = 100'000;
constexpr size_t kMostCalls = 10'000;
constexpr double kUnknown = -1;

// 0 where there are no more.
uint64_t least_of_greatest(std::vector<uint64_t>& values, size_t count) {
  if (values.size() <= count) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() - count);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double to_us(uint64_t ns) { return static_cast<double>(ns) / 1000; }

class TraceOfPage {
 public:
  TraceOfPage(const Profile& profile, const Traces& traces, const HtmlTree& tree)
      : profile_(profile), traces_(traces), tree_(tree), shown_(traces.methods.size(), -1) {}

  TraceJson json() {
    const wire::TraceState& state = traces_.state;
    TraceJson json{{"latency_us", to_us(state.latency_ns)},
                   {"cpu", traces_.knows_cpu()},
                   {"inside_ns", to_us(state.probe_inside_ps)},
                   {"outside_ns", to_us(state.probe_outside_ps)}};
    json["notes"] = profile::trace_notes(traces_);
    json["methods"] = methods();
    json["nodes"] = nodes();
    add_calls(json);
    return json;
  }

 private:
  TraceJson figures(const CallFigures& of) const {
    const auto cpu = [this](uint64_t ns) { return traces_.knows_cpu() ? to_us(ns) : kUnknown; };
    const auto timed = [&of](uint64_t ns) { return of.most == 0 ? kUnknown : to_us(ns); };
    const auto spread = [&of](uint64_t ns) { return of.spread_known ? to_us(ns) : kUnknown; };
    return TraceJson::array({of.calls, to_us(of.self), to_us(of.total), to_us(of.raw_self), cpu(of.self_cpu),
                             cpu(of.total_cpu), to_us(of.waiting), of.exceptions, of.allocated,
                             timed(of.least), spread(of.median), spread(of.p99), timed(of.most)});
  }

  TraceJson methods() {
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < traces_.methods.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) {
      const CallFigures &x = traces_.methods[a].figures, &y = traces_.methods[b].figures;
      return x.self != y.self ? x.self > y.self : x.calls > y.calls;
    });
    TraceJson rows = TraceJson::array();
    for (const uint32_t i : order) {
      if (rows.size() >= kMostMethods) break;
      const profile::TracedMethod& method = traces_.methods[i];
      shown_[i] = static_cast<int64_t>(rows.size());
      rows.push_back({{"name", method.name},
                      {"module", method.module},
                      {"timed", !method.untimed},
                      {"problem", method.problem},
                      {"figures", figures(method.figures)}});
    }
    return rows;
  }

  // Those that the page has, with time or with calls; of very many those with the most time.
  TraceJson nodes() const {
    std::vector<uint64_t> totals;
    for (const profile::TracedNode& node : traces_.nodes) totals.push_back(node.figures.total);
    const uint64_t least = least_of_greatest(totals, kMostNodes);
    TraceJson rows = TraceJson::array();
    for (size_t i = 1; i < traces_.nodes.size() && rows.size() < kMostNodes; ++i) {
      const uint32_t node = tree_.node_of[traces_.nodes[i].node];
      if (node != 0 && traces_.nodes[i].figures.total >= least)
        rows.push_back({{"node", node}, {"figures", figures(traces_.nodes[i].figures)}});
    }
    return rows;
  }

  static TraceJson value_json(const wire::TracedValue& value) {
    return {{"name", value.name}, {"type", value.type}, {"text", value.text + (value.cut ? "…" : "")}};
  }

  TraceJson call_json(const SlowCall& call, uint32_t lane) const {
    const bool threw = call.outcome == wire::CallOutcome::kException;
    const bool ended = call.outcome != wire::CallOutcome::kNotEnded;
    TraceJson arguments = TraceJson::array();
    for (const wire::TracedValue& value : call.arguments) arguments.push_back(value_json(value));
    return {{"number", call.number},
            {"caller", call.caller},
            {"method", shown_[traces_.nodes[call.node].method]},
            {"begin", to_us(call.begin_ns)},
            {"took", to_us(call.wall_ns)},
            {"cpu", traces_.knows_cpu() ? to_us(call.cpu_ns) : kUnknown},
            {"waiting", to_us(call.waiting_ns)},
            {"thread", std::min<size_t>(call.thread, profile_.threads.size() - 1)},
            {"ended_in", std::min<size_t>(call.ended_in, profile_.threads.size() - 1)},
            {"node", tree_.node_of[call.stack]},
            {"outcome", threw   ? "exception"
                        : ended ? "returned"
                                : "not_ended"},
            {"arguments", std::move(arguments)},
            {"result", profile::result_text(call)},
            {"lane", lane}};
  }

  // The longest, by lane and begin.
  void add_calls(TraceJson& to) const {
    std::vector<uint64_t> lengths;
    for (const SlowCall& call : traces_.calls) lengths.push_back(call.wall_ns);
    const uint64_t least = least_of_greatest(lengths, kMostCalls);
    to["calls"] = TraceJson::array();
    to["lanes"] = TraceJson::array();
    for (const CallLane& lane : call_lanes(traces_)) {
      bool any = false;
      for (const uint32_t i : lane.calls) {
        const SlowCall& call = traces_.calls[i];
        if (call.wall_ns < least || shown_[traces_.nodes[call.node].method] < 0 || profile_.threads.empty() ||
            to["calls"].size() >= kMostCalls)
          continue;
        any = true;
        to["calls"].push_back(call_json(call, static_cast<uint32_t>(to["lanes"].size())));
      }
      if (any) to["lanes"].push_back({{"thread", lane.thread}, {"async", lane.is_async}});
    }
    to["left_out"] = traces_.calls.size() - to["calls"].size();
  }

  const Profile& profile_;
  const Traces& traces_;
  const HtmlTree& tree_;
  std::vector<int64_t> shown_;  // by method: its place in the page; -1: it has none
};

}  // namespace

nlohmann::ordered_json html_trace(const Profile& profile, const HtmlTree& tree) {
  TraceJson all = TraceJson::array();
  for (const Traces& traces : profile.traces) all.push_back(TraceOfPage(profile, traces, tree).json());
  return all;
}

}  // namespace walkabout::formats
