#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/trace_report.h"
#include "console/numbers.h"

namespace walkabout::cli {
namespace {

using profile::CallFigures;
using profile::Profile;
using profile::SlowCall;
using profile::TracedMethod;
using profile::Traces;

constexpr size_t kMostTreeNodes = 20'000;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

class TraceJson {
 public:
  TraceJson(const Profile& profile, size_t top)
      : profile_(profile), traces_(profile.traces.front()), top_(top) {}

  Json json() const {
    Json json = facts();
    json["threads"] = threads();
    json["methods"] = methods();
    add_tree(json);
    json["slow_calls"] = slow_calls();
    json["patterns"] = patterns();
    json["messages"] = Json::array();
    for (const wire::Message& message : profile_.messages) json["messages"].push_back(message.text);
    json["damage"] = profile_.damage;
    return json;
  }

 private:
  Json facts() const {
    const wire::Session& session = traces_.session;
    const wire::TraceState& state = traces_.state;
    const wire::CallState& choice = traces_.choice;
    return {{"command_line", session.command_line},
            {"pid", session.pid},
            {"runtime", session.runtime},
            {"attached", session.attached},
            {"duration", static_cast<double>(traces_.duration_us) / 1e6},
            {"complete", traces_.complete},
            {"looked", choice.looked},
            {"runtime_async", choice.runtime_async},
            {"all", state.all},
            {"calls", traces_.all_calls()},
            {"self_seconds", seconds(traces_.all_self())},
            {"latency_seconds", state.latency_ns == 0 ? Json(nullptr) : Json(seconds(state.latency_ns))},
            {"cpu_known", traces_.knows_cpu()},
            {"cpu_incomplete", traces_.lacks_cpu()},
            {"probe_inside_ns", static_cast<double>(state.probe_inside_ps) / 1000},
            {"probe_outside_ns", static_cast<double>(state.probe_outside_ps) / 1000},
            {"clock_ns", static_cast<double>(state.clock_ps) / 1000},
            {"kept", state.kept},
            {"not_kept", state.not_kept},
            {"too_deep", state.too_deep},
            {"no_room", state.no_room},
            {"unmatched", state.unmatched},
            {"left_out", traces_.left_out},
            {"chosen", choice.chosen},
            {"rewritten", choice.rewritten},
            {"refused", choice.refused},
            {"callers", choice.callers},
            {"reverted", choice.reverted},
            {"too_many", choice.too_many},
            {"unloadable", choice.unloadable}};
  }

  Json cpu(uint64_t ns) const { return traces_.knows_cpu() ? Json(seconds(ns)) : Json(nullptr); }

  void add_figures(const CallFigures& figures, Json& to) const {
    to["calls"] = figures.calls;
    to["self_seconds"] = seconds(figures.self);
    to["total_seconds"] = seconds(figures.total);
    to["raw_self_seconds"] = seconds(figures.raw_self);
    to["raw_total_seconds"] = seconds(figures.raw_total);
    to["self_cpu_seconds"] = cpu(figures.self_cpu);
    to["total_cpu_seconds"] = cpu(figures.total_cpu);
    to["waiting_seconds"] = seconds(figures.waiting);
    to["min_seconds"] = seconds(figures.least);
    to["median_seconds"] = figures.spread_known ? Json(seconds(figures.median)) : Json(nullptr);
    to["p99_seconds"] = figures.spread_known ? Json(seconds(figures.p99)) : Json(nullptr);
    to["max_seconds"] = seconds(figures.most);
    to["exceptions"] = figures.exceptions;
    to["allocated_bytes"] = figures.allocated;
  }

  void name_of_thread(uint32_t index, Json& to, const char* name, const char* tid) const {
    const bool is_known = index < profile_.threads.size();
    to[name] = is_known ? Json(profile_.threads[index].name) : Json(nullptr);
    to[tid] = is_known ? Json(profile_.threads[index].tid) : Json(nullptr);
  }

  Json threads() const {
    Json rows = Json::array();
    for (const profile::TracedThread& thread : traces_.threads) {
      Json row;
      name_of_thread(thread.thread, row, "name", "tid");
      row["calls"] = thread.calls;
      row["self_seconds"] = seconds(thread.self);
      rows.push_back(std::move(row));
    }
    return rows;
  }

  Json methods() const {
    std::vector<const TracedMethod*> sorted;
    for (const TracedMethod& method : traces_.methods) sorted.push_back(&method);
    std::stable_sort(sorted.begin(), sorted.end(), [](const TracedMethod* a, const TracedMethod* b) {
      if (a->figures.self != b->figures.self) return a->figures.self > b->figures.self;
      return a->figures.calls > b->figures.calls;
    });
    Json rows = Json::array();
    for (size_t i = 0; i < std::min(top_, sorted.size()); ++i) {
      const TracedMethod& method = *sorted[i];
      Json row{{"name", method.name}, {"match", method.match}, {"module", method.module}};
      row["timed"] = !method.untimed;
      row["problem"] = text_or_null(method.problem);
      add_figures(method.figures, row);
      rows.push_back(std::move(row));
    }
    return rows;
  }

  // Nodes as they are in the recording: each behind its caller.
  void add_tree(Json& to) const {
    Json& rows = to["tree"] = Json::array();
    for (size_t i = 1; i < std::min(traces_.nodes.size(), kMostTreeNodes + 1); ++i) {
      const profile::TracedNode& node = traces_.nodes[i];
      Json row{{"parent", static_cast<int64_t>(node.parent) - 1},
               {"name", traces_.methods[node.method].name}};
      add_figures(node.figures, row);
      rows.push_back(std::move(row));
    }
    to["tree_left_out"] = traces_.nodes.size() - 1 - rows.size();
  }

  static Json value_json(const wire::TracedValue& value) {
    return {{"name", text_or_null(value.name)},
            {"type", text_or_null(value.type)},
            {"text", value.text},
            {"cut", value.cut}};
  }

  Json slow_calls() const {
    std::vector<const SlowCall*> sorted;
    for (const SlowCall& call : traces_.calls) sorted.push_back(&call);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const SlowCall* a, const SlowCall* b) { return a->wall_ns > b->wall_ns; });
    Json rows = Json::array();
    for (size_t i = 0; i < std::min(top_, sorted.size()); ++i) rows.push_back(slow_call(*sorted[i]));
    return rows;
  }

  Json slow_call(const SlowCall& call) const {
    const TracedMethod& method = traces_.methods[traces_.nodes[call.node].method];
    const bool threw = call.outcome == wire::CallOutcome::kException;
    const bool ended = call.outcome != wire::CallOutcome::kNotEnded;
    Json json{{"number", call.number},
              {"caller", call.caller == 0 ? Json(nullptr) : Json(call.caller)},
              {"name", method.name},
              {"begin", seconds(call.begin_ns)},
              {"seconds", seconds(call.wall_ns)},
              {"cpu_seconds", cpu(call.cpu_ns)},
              {"waiting_seconds", seconds(call.waiting_ns)},
              {"outcome", threw   ? "exception"
                          : ended ? "returned"
                                  : "not_ended"}};
    name_of_thread(call.thread, json, "thread", "tid");
    name_of_thread(call.ended_in, json, "ended_in", "ended_in_tid");
    json["arguments"] = Json::array();
    for (const wire::TracedValue& value : call.arguments) json["arguments"].push_back(value_json(value));
    const Json result = call.result.empty() ? Json(nullptr) : value_json(call.result.front());
    json["result"] = threw ? Json(nullptr) : result;
    json["exception"] = threw ? result : Json(nullptr);
    json["stack"] = Json::array();
    for (uint32_t node = call.stack; node != 0; node = profile_.nodes[node].parent)
      json["stack"].push_back(profile_.frames[profile_.nodes[node].frame].name);
    return json;
  }

  Json patterns() const {
    Json rows = Json::array();
    for (const wire::CallPattern& pattern : traces_.patterns) {
      Json similar = Json::array();
      constexpr std::string_view kBetween = ", ";
      for (std::string_view list = pattern.similar; !list.empty();) {
        const size_t end = std::min(list.find(kBetween), list.size());
        similar.push_back(std::string(list.substr(0, end)));
        list.remove_prefix(std::min(end + kBetween.size(), list.size()));
      }
      rows.push_back(
          {{"pattern", pattern.pattern}, {"methods", pattern.methods}, {"similar", std::move(similar)}});
    }
    return rows;
  }

  const Profile& profile_;
  const Traces& traces_;
  const size_t top_;
};

}  // namespace

Json trace_json(const Profile& profile, size_t top) { return TraceJson(profile, top).json(); }

}  // namespace walkabout::cli
