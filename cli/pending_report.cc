#include "cli/pending_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "console/numbers.h"
#include "profile/names/place_text.h"

namespace walkabout::cli {
namespace {

using profile::Pending;
using profile::PendingFrame;
using profile::PendingStack;

constexpr size_t kColumns = 27;
constexpr char kCollectible[] =
    "Methods of assemblies that can be unloaded are not among them, nor those of runtime-async.";

std::string stand(const PendingFrame& frame) {
  if (frame.place.known()) return "  " + profile::place_text(frame.place);
  return frame.await == 0 ? "" : "  await #" + std::to_string(frame.await);
}

Json frame_json(const PendingFrame& frame) {
  Json json{{"name", frame.name}, {"await", frame.await == 0 ? Json(nullptr) : Json(frame.await)}};
  json["file"] = frame.place.known() ? Json(frame.place.file) : Json(nullptr);
  json["line"] = frame.place.known() ? Json(frame.place.lines.front()) : Json(nullptr);
  return json;
}

double moment_of(uint64_t us) { return static_cast<double>(us) / 1e6; }

class PendingText {
 public:
  PendingText(const Pending& pending, size_t top, const Terminal& terminal)
      : pending_(pending), top_(top), terminal_(terminal), paint_(terminal.colours) {}

  std::string text() {
    const wire::Snapshot& shown = pending_.snapshots[pending_.chosen];
    add("{}{}{}\n", paint_.bold(), fit_text(pending_.session.command_line, terminal_.width), paint_.reset());
    add("{}, async methods that wait, {} after the begin", pending_.session.runtime,
        duration(shown.time_us * 1000));
    if (pending_.snapshots.size() > 1)
      add(" (snapshot {} of {})", pending_.chosen + 1, pending_.snapshots.size());
    add("\n{} in {}: {} of {}; the program stood for {}\n\n", counted(shown.operations, "operation"),
        counted(pending_.stacks.size(), "stack"), counted(shown.methods, "method"),
        counted(shown.objects, "object"),
        duration(shown.pause_ns) +
            (shown.cpu_ns * 2 < shown.pause_ns ? " (" + duration(shown.cpu_ns) + " of CPU time)" : ""));
    if (!pending_.stacks.empty())
      add("{}{:>10} {:>14}  where they wait, and below it who awaits it{}\n", paint_.dim(), "operations",
          "waits", paint_.reset());
    for (size_t i = 0; i < std::min(top_, pending_.stacks.size()); ++i) stack(pending_.stacks[i]);
    rest();
    notes(shown);
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void stack(const PendingStack& stack) {
    const uint64_t now_us = pending_.snapshots[pending_.chosen].time_us;
    const std::string since = stack.since_us == 0        ? "not known"
                              : stack.since_us >= now_us ? "seen first"
                                                         : "> " + duration((now_us - stack.since_us) * 1000);
    for (size_t i = 0; i < stack.frames.size(); ++i) {
      const std::string awaits = stand(stack.frames[i]);
      const size_t room = terminal_.room_behind(kColumns + awaits.size() + (i == 0 ? 0 : 2));
      const std::string name = fit_name(stack.frames[i].name, room);
      if (i == 0)
        add("{:>10} {:>14}  {}{}{}{}\n", grouped(stack.operations), since, name, paint_.dim(), awaits,
            paint_.reset());
      else
        add("{:>10} {:>14}    {}{}{}{}\n", "", "", paint_.dim(), name, awaits, paint_.reset());
    }
  }

  void rest() {
    if (pending_.stacks.size() <= top_) return;
    uint64_t operations = 0;
    for (size_t i = top_; i < pending_.stacks.size(); ++i) operations += pending_.stacks[i].operations;
    add("{:>10} {:>14}  in {} (--top shows more)\n", grouped(operations), "",
        counted(pending_.stacks.size() - top_, "more stack"));
  }

  void notes(const wire::Snapshot& shown) {
    const auto note = [this](const std::string& text) { add("{}\n", wrap(text, terminal_.width)); };
    add("\n");
    if (!shown.whole)
      note("Not all: the look was ended by its bound (--max-pause, or " + grouped(uint64_t{1} << 20) +
           " methods). There may be more, and awaiters that are not known.");
    if (std::any_of(pending_.stacks.begin(), pending_.stacks.end(),
                    [](const PendingStack& s) { return s.since_us == 0; }) &&
        pending_.snapshots.size() == 1)
      note("Since when they wait is not known from one look.");
    note(kCollectible);
    for (const wire::Message& message : pending_.messages)
      if (message.severity == wire::Severity::kWarning) note(message.text);
    if (!pending_.damage.empty()) note(pending_.damage);
  }

  const Pending& pending_;
  const size_t top_;
  const Terminal terminal_;
  const Paint paint_;
  std::string out_;
};

Json snapshot_json(const wire::Snapshot& snapshot) {
  return {{"time", moment_of(snapshot.time_us)},
          {"pause_seconds", seconds(snapshot.pause_ns)},
          {"cpu_seconds", seconds(snapshot.cpu_ns)},
          {"objects", snapshot.objects},
          {"methods", snapshot.methods},
          {"operations", snapshot.operations},
          {"whole", snapshot.whole}};
}

}  // namespace

std::string no_snapshot(const Pending& pending) {
  if (!pending.snapshots.empty()) return {};
  if (!pending.recorded)
    return "it has no async methods that wait; record it with --events async, or cpu,async=10s";
  std::string why = "it has no look at the async methods that wait: none was taken before its end";
  for (const wire::Message& message : pending.messages) why += "; " + message.text;
  return why;
}

std::string pending_text(const Pending& pending, size_t top, const Terminal& terminal) {
  return PendingText(pending, top, terminal).text();
}

Json pending_json(const Pending& pending, size_t top) {
  Json json{{"command_line", pending.session.command_line},
            {"pid", pending.session.pid},
            {"runtime", pending.session.runtime},
            {"duration", moment_of(pending.duration_us)},
            {"snapshots", Json::array()},
            {"shown", snapshot_json(pending.snapshots[pending.chosen])},
            {"stacks", Json::array()},
            {"messages", Json::array()}};
  for (const wire::Snapshot& snapshot : pending.snapshots)
    json["snapshots"].push_back(snapshot_json(snapshot));
  for (size_t i = 0; i < std::min(top, pending.stacks.size()); ++i) {
    const PendingStack& stack = pending.stacks[i];
    Json frames = Json::array();
    for (const PendingFrame& frame : stack.frames) frames.push_back(frame_json(frame));
    json["stacks"].push_back(
        {{"operations", stack.operations},
         {"seen_since", stack.since_us == 0 ? Json(nullptr) : Json(moment_of(stack.since_us))},
         {"frames", std::move(frames)}});
  }
  for (const wire::Message& message : pending.messages) json["messages"].push_back(message.text);
  json["damage"] = pending.damage;
  return json;
}

}  // namespace walkabout::cli
