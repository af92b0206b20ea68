#include "cli/calls_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "console/numbers.h"

namespace walkabout::cli {
namespace {

using profile::Calls;
using profile::CountedCalls;

constexpr size_t kCallColumns = 31;
constexpr size_t kMostProblems = 10, kMostCallers = 10;
constexpr size_t kIndent = 2;  // of callers

double rate(const Calls& calls, uint64_t count) {
  return calls.duration_us == 0 ? 0
                                : static_cast<double>(count) * 1e6 / static_cast<double>(calls.duration_us);
}

// "the methods: 1, 2, …" by why they were left alone.
std::string left_alone(const Calls& calls) {
  std::map<std::string, std::vector<std::string>> by_cause;
  for (const CountedCalls& method : calls.methods) {
    if (!method.problem.empty()) by_cause[method.problem].push_back(method.name);
  }
  std::string text;
  for (const auto& [cause, names] : by_cause) {
    text += counted(names.size(), "method") + (names.size() == 1 ? " is" : " are") + " not counted, " +
            cause + ": ";
    for (size_t i = 0; i < std::min(names.size(), kMostProblems); ++i)
      text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kMostProblems) text += " and " + counted(names.size() - kMostProblems, "other");
    text += ".\n";
  }
  return text;
}

Json names_in(std::string_view list) {
  constexpr std::string_view kBetween = ", ";
  Json names = Json::array();
  while (!list.empty()) {
    const size_t end = std::min(list.find(kBetween), list.size());
    names.push_back(std::string(list.substr(0, end)));
    list.remove_prefix(std::min(end + kBetween.size(), list.size()));
  }
  return names;
}

class CallsText {
 public:
  CallsText(const Calls& calls, size_t top, const Terminal& terminal)
      : calls_(calls), top_(top), terminal_(terminal), paint_(terminal.colours) {}

  std::string text() {
    const size_t called = static_cast<size_t>(std::count_if(
        calls_.methods.begin(), calls_.methods.end(), [](const CountedCalls& m) { return m.calls != 0; }));
    add("{}{}{}\n", paint_.bold(), fit_text(calls_.session.command_line, terminal_.width), paint_.reset());
    const size_t quiet = calls_.methods.size() - called;
    add("{}, {} of {} in {}{}\n\n", calls_.session.runtime, counted(calls_.total(), "call"),
        counted(calls_.methods.size(), "method"), duration(calls_.duration_us * 1000),
        quiet == 0 ? "" : "; without a count: " + grouped(quiet));
    if (called != 0) add("{}{:>16} {:>13}  method{}\n", paint_.dim(), "calls", "per second", paint_.reset());
    for (size_t i = 0; i < std::min(top_, called); ++i) {
      const CountedCalls& method = calls_.methods[i];
      add("{:>16} {:>13}  {}\n", grouped(method.calls),
          grouped(static_cast<uint64_t>(rate(calls_, method.calls))),
          fit_name(method.name, terminal_.room_behind(kCallColumns)));
      if (calls_.by_caller) callers(method);
    }
    if (called > top_) {
      uint64_t rest = 0;
      for (size_t i = top_; i < called; ++i) rest += calls_.methods[i].calls;
      add("{:>16} {:>13}  of {} (--top shows more)\n", grouped(rest), "",
          counted(called - top_, "more method"));
    }
    notes();
    return std::move(out_);
  }

 private:
  void callers(const CountedCalls& method) {
    // Rounded down: what is less than all is not 100%.
    const auto row = [&](uint64_t calls, const std::string& what) {
      const auto thousandths =
          static_cast<uint64_t>(1000 * static_cast<double>(calls) / static_cast<double>(method.calls));
      add("{}{:>16} {:>10}.{}%    {}{}\n", paint_.dim(), grouped(calls), thousandths / 10, thousandths % 10,
          fit_name(what, terminal_.room_behind(kCallColumns + kIndent)), paint_.reset());
    };
    const size_t shown = std::min(method.callers.size(), kMostCallers);
    for (size_t i = 0; i < shown; ++i) row(method.callers[i].calls, method.callers[i].name);
    uint64_t rest = 0;
    for (size_t i = shown; i < method.callers.size(); ++i) rest += method.callers[i].calls;
    if (rest != 0) row(rest, "(of " + counted(method.callers.size() - shown, "more caller") + ")");
    if (method.not_told() != 0) row(method.not_told(), "(not told)");
  }
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  bool has_unnamed() const {
    return std::any_of(calls_.methods.begin(), calls_.methods.end(),
                       [](const CountedCalls& method) { return method.match.empty(); });
  }

  void notes() {
    const wire::CallState& state = calls_.state;
    std::string all = left_alone(calls_) + without_methods(calls_);
    if (state.too_many != 0)
      all += "Left out: " + counted(state.too_many, "method") +
             " that match: more than are counted without --yes.\n";
    if (state.unloadable != 0)
      all += "Left out: what can be unloaded, " + counted(state.unloadable, "time") +
             " an assembly was loaded.\n";
    if (calls_.no_room != 0)
      all += "Of " + counted(calls_.no_room, "call") +
             " the caller is not told: they come from more places than are kept apart.\n";
    if (calls_.not_found != 0)
      all += "Of " + counted(calls_.not_found, "call") + " the caller was not found.\n";
    for (const wire::Message& message : calls_.messages) {
      if (message.severity == wire::Severity::kWarning || !calls_.complete) all += message.text + ".\n";
    }
    if (calls_.session.attached)
      all +=
          "Not in it: calls that were inlined into code that runs since before it counted, such as a loop "
          "that goes on.\n";
    if (calls_.session.attached && state.runtime_async)
      all +=
          "Nor those that were inlined into methods whose task the runtime makes itself (runtime-async): it "
          "does not say which these are.\n";
    if (!state.looked) all += "It ended before all that was loaded was looked through.\n";
    if (!calls_.complete) {
      all +=
          "The recording was cut off: the process was ended, or ended itself abruptly, or walkabout did not "
          "wait for its end.\n";
      if (has_unnamed())
        all += "Methods without a name: what they are had not come out of the process yet.\n";
    }
    if (!calls_.damage.empty()) all += calls_.damage + "\n";
    if (!all.empty()) add("\n{}", all);
  }

  const Calls& calls_;
  const size_t top_;
  const Terminal terminal_;
  const Paint paint_;
  std::string out_;
};

Json callers_json(const CountedCalls& method) {
  Json all = Json::array();
  for (const profile::Caller& caller : method.callers) {
    all.push_back({{"name", caller.name},
                   {"module", caller.module},
                   {"kind", profile::to_string(caller.kind)},
                   {"calls", caller.calls}});
  }
  return all;
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

std::string without_methods(const Calls& calls) {
  std::string text;
  if (!calls.complete || !calls.state.looked) return text;
  for (const wire::CallPattern& pattern : calls.patterns) {
    if (pattern.methods != 0) continue;
    text += "No method matches '" + pattern.pattern + "'";
    text += pattern.similar.empty() ? ".\n" : "; names like it: " + pattern.similar + ".\n";
  }
  return text;
}

std::string calls_text(const Calls& calls, size_t top, const Terminal& terminal) {
  return CallsText(calls, top, terminal).text();
}

Json calls_json(const Calls& calls, size_t top) {
  const wire::CallState& state = calls.state;
  Json json{{"command_line", calls.session.command_line},
            {"pid", calls.session.pid},
            {"runtime", calls.session.runtime},
            {"attached", calls.session.attached},
            {"duration", static_cast<double>(calls.duration_us) / 1e6},
            {"complete", calls.complete},
            {"looked", state.looked},
            {"runtime_async", state.runtime_async},
            {"calls", calls.total()},
            {"methods", Json::array()},
            {"chosen", state.chosen},
            {"rewritten", state.rewritten},
            {"refused", state.refused},
            {"callers", state.callers},
            {"reverted", state.reverted},
            {"too_many", state.too_many},
            {"unloadable", state.unloadable},
            {"longest_request_seconds", seconds(state.request_ns)},
            {"patterns", Json::array()},
            {"messages", Json::array()}};
  for (size_t i = 0; i < std::min(top, calls.methods.size()); ++i) {
    const CountedCalls& method = calls.methods[i];
    json["methods"].push_back({{"name", method.name},
                               {"match", method.match},
                               {"module", method.module},
                               {"calls", method.calls},
                               {"problem", or_null(method.problem)}});
    if (!calls.by_caller) continue;
    json["methods"].back()["callers"] = callers_json(method);
    json["methods"].back()["not_told"] = method.not_told();
  }
  for (const wire::CallPattern& pattern : calls.patterns) {
    json["patterns"].push_back(
        {{"pattern", pattern.pattern}, {"methods", pattern.methods}, {"similar", names_in(pattern.similar)}});
  }
  for (const wire::Message& message : calls.messages) json["messages"].push_back(message.text);
  json["damage"] = calls.damage;
  return json;
}

}  // namespace walkabout::cli
