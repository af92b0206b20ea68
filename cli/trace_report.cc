#include "cli/trace_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "cli/slow_calls.h"
#include "cli/trace_tree.h"
#include "console/numbers.h"
#include "profile/build/load.h"
#include "profile/query/trace_notes.h"

namespace walkabout::cli {
namespace {

using profile::CallFigures;
using profile::Profile;
using profile::SlowCall;
using profile::TracedMethod;
using profile::Traces;

constexpr size_t kMostTreeRows = 40;
constexpr double kLeastTraceShare = 0.01;
constexpr size_t kMostSlowCalls = 5;
constexpr size_t kMostTraceFrames = 5;
constexpr size_t kRoomForMethod = 36;

// Of calls, some of which take nanoseconds.
std::string call_time(uint64_t ns) { return ns < 1000 ? fmt::format("{} ns", ns) : duration(ns); }

struct TraceColumn {
  const char* title;
  size_t width;
  int drop;  // where a terminal is too narrow the highest goes first; 0: never
  std::string (*text)(const TracedMethod& method);
};

std::string time_of(const TracedMethod& method, uint64_t time) {
  return method.untimed || method.figures.calls == 0 ? "-" : call_time(time);
}

std::string spread_time(const TracedMethod& method, uint64_t time) {
  return method.figures.spread_known ? call_time(time) : "-";
}

const std::vector<TraceColumn>& trace_columns() {
  static const std::vector<TraceColumn> columns{
      {"calls", 13, 0, [](const TracedMethod& m) { return grouped(m.figures.calls); }},
      {"total", 9, 0, [](const TracedMethod& m) { return time_of(m, m.figures.total); }},
      {"self", 9, 0, [](const TracedMethod& m) { return time_of(m, m.figures.self); }},
      {"CPU", 9, 3, [](const TracedMethod& m) { return time_of(m, m.figures.total_cpu); }},
      {"waiting", 9, 0, [](const TracedMethod& m) { return time_of(m, m.figures.waiting); }},
      {"min", 9, 6, [](const TracedMethod& m) { return time_of(m, m.figures.least); }},
      {"median", 9, 4, [](const TracedMethod& m) { return spread_time(m, m.figures.median); }},
      {"p99", 9, 1, [](const TracedMethod& m) { return spread_time(m, m.figures.p99); }},
      {"max", 9, 2, [](const TracedMethod& m) { return time_of(m, m.figures.most); }},
      {"thrown", 9, 0, [](const TracedMethod& m) { return grouped(m.figures.exceptions); }},
      {"allocated", 10, 5, [](const TracedMethod& m) { return byte_size(m.figures.allocated); }},
  };
  return columns;
}

class TraceText {
 public:
  TraceText(const Profile& profile, size_t top, const Terminal& terminal)
      : profile_(profile),
        traces_(profile.traces.front()),
        top_(top),
        terminal_(terminal),
        paint_(terminal.colours) {}

  std::string text() {
    head();
    table();
    tree();
    slow_calls();
    notes();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void title(const std::string& text) { add("\n{}{}{}\n", paint_.bold(), text, paint_.reset()); }

  void head() {
    const auto called =
        static_cast<size_t>(std::count_if(traces_.methods.begin(), traces_.methods.end(),
                                          [](const TracedMethod& m) { return m.figures.calls != 0; }));
    add("{}{}{}\n", paint_.bold(), fit_text(traces_.session.command_line, terminal_.width), paint_.reset());
    add("{}, {} of {} on {} in {}", traces_.session.runtime, counted(traces_.all_calls(), "call"),
        counted(called, "method"), counted(traces_.threads.size(), "thread"),
        duration(traces_.duration_us * 1000));
    const size_t quiet = traces_.methods.size() - called;
    add("{}\n", quiet == 0 ? "" : "; without a call: " + grouped(quiet));
    uint64_t self = 0, raw = 0, cpu = 0;
    for (const profile::TracedNode& node : traces_.nodes) {
      self += node.figures.self;
      raw += node.figures.raw_self;
      cpu += node.figures.self_cpu;
    }
    add("\n{}traced time {}{}", paint_.bold(), call_time(self), paint_.reset());
    if (traces_.knows_cpu()) add("   on a processor {}", call_time(cpu));
    if (raw > self) add("   and {} in the probes", call_time(raw - self));
    add("\n");
  }

  std::vector<TraceColumn> columns() const {
    const auto any = [this](auto has) {
      return std::any_of(traces_.methods.begin(), traces_.methods.end(),
                         [has](const TracedMethod& m) { return has(m.figures) != 0; });
    };
    std::vector<TraceColumn> columns;
    for (const TraceColumn& column : trace_columns()) {
      const std::string_view name = column.title;
      if (name == "CPU" && !traces_.knows_cpu()) continue;
      if (name == "waiting" && !any([](const CallFigures& f) { return f.waiting; })) continue;
      if (name == "thrown" && !any([](const CallFigures& f) { return f.exceptions; })) continue;
      if (name == "allocated" && !any([](const CallFigures& f) { return f.allocated; })) continue;
      columns.push_back(column);
    }
    while (terminal_.width != 0 && width_of(columns) + kRoomForMethod > terminal_.width) {
      const auto least =
          std::max_element(columns.begin(), columns.end(),
                           [](const TraceColumn& a, const TraceColumn& b) { return a.drop < b.drop; });
      if (least->drop == 0) break;
      columns.erase(least);
    }
    return columns;
  }

  static size_t width_of(const std::vector<TraceColumn>& columns) {
    size_t width = 2;
    for (const TraceColumn& column : columns) width += column.width;
    return width;
  }

  std::string fit(const TracedMethod& method, size_t columns_before) const {
    return fit_name(profile_.frames[method.frame], terminal_.room_behind(columns_before));
  }

  void table() {
    std::vector<const TracedMethod*> methods;
    for (const TracedMethod& method : traces_.methods) {
      if (method.figures.calls != 0) methods.push_back(&method);
    }
    if (methods.empty()) {
      add("\nNo call of the methods ended while it was traced.\n");
      return;
    }
    std::stable_sort(methods.begin(), methods.end(), [](const TracedMethod* a, const TracedMethod* b) {
      if (a->figures.self != b->figures.self) return a->figures.self > b->figures.self;
      return a->figures.calls > b->figures.calls;
    });
    const std::vector<TraceColumn> shown = columns();
    title("Methods, by their own time");
    add("{}", paint_.dim());
    for (const TraceColumn& column : shown) add("{:>{}}", column.title, column.width);
    add("  method{}\n", paint_.reset());
    for (size_t i = 0; i < std::min(top_, methods.size()); ++i) {
      for (const TraceColumn& column : shown) add("{:>{}}", column.text(*methods[i]), column.width);
      add("  {}\n", fit(*methods[i], width_of(shown)));
    }
    if (methods.size() > top_)
      add("{:>{}}  {} (--top shows more)\n", "", width_of(shown) - 2,
          counted(methods.size() - top_, "more method"));
  }

  void tree() {
    const std::vector<TraceTreeRow> rows = trace_tree_rows(traces_, kLeastTraceShare, kMostTreeRows);
    const bool is_flat =
        std::none_of(rows.begin(), rows.end(), [](const auto& row) { return row.parent >= 0; });
    if (is_flat) return;  // the table says it
    uint64_t all = 0;
    for (const profile::TracedNode& node : traces_.nodes) all += node.figures.self;
    const bool waits = std::any_of(traces_.nodes.begin(), traces_.nodes.end(),
                                   [](const auto& node) { return node.figures.waiting != 0; });
    const size_t width = waits ? 48 : 39;
    title("Who called whom");
    add("{}{:>7}{:>9}{:>9}", paint_.dim(), "", "total", "self");
    if (waits) add("{:>9}", "waiting");
    add("{:>12}  method{}\n", "calls", paint_.reset());
    for (const TraceTreeRow& row : rows) {
      add("{:>6.1f}%{:>9}", percent(row.total, all), call_time(row.total));
      const size_t before = width + text_width(row.indentation);
      if (row.hidden != 0) {
        add("{:>{}}  {}({} less)\n", "", width - 18, row.indentation, counted(row.hidden, "method"));
        continue;
      }
      const profile::TracedNode& node = traces_.nodes[row.node];
      const TracedMethod& method = traces_.methods[node.method];
      add("{:>9}", time_of(method, node.figures.self));
      if (waits) add("{:>9}", call_time(node.figures.waiting));
      add("{:>12}  {}{}\n", grouped(node.figures.calls), row.indentation, fit(method, before));
    }
    if (rows.size() == kMostTreeRows) add("More of it: report --event trace --tree.\n");
  }

  void slow_calls() {
    if (traces_.calls.empty()) return;
    const uint64_t latency = traces_.state.latency_ns;
    std::string heading = "The slowest of " + counted(traces_.calls.size(), "call");
    if (latency != 0) heading += " of " + duration(latency) + " and more";
    title(heading);
    for (const SlowCallRow& row : slow_call_rows(traces_, std::min(top_, kMostSlowCalls))) {
      if (row.hidden != 0)
        add("{:>27}{}{} in it\n", "", row.indentation, counted(row.hidden, "further call"));
      else
        slow_call(row);
    }
  }

  void slow_call(const SlowCallRow& row) {
    const SlowCall& call = traces_.calls[row.call];
    const TracedMethod& method = traces_.methods[traces_.nodes[call.node].method];
    const size_t before = 27 + text_width(row.indentation);
    add("{:>9}  {}{:>14}{}  {}{}\n", call_time(call.wall_ns), paint_.dim(), "at " + call_time(call.begin_ns),
        paint_.reset(), row.indentation, fit(method, before));
    const std::string indentation(text_width(row.indentation) + 29, ' ');
    const auto line = [&](const std::string& text) {
      const size_t room = terminal_.room_behind(indentation.size());
      add("{}{}{}{}\n", paint_.dim(), indentation, room == 0 ? text : cut(text, room), paint_.reset());
    };
    if (const std::string values = values_of(call); !values.empty()) line(values);
    if (!row.outermost) return;
    line(place_of(call));
    stack(call, line);
  }

  // From the front: what comes first says the most.
  static std::string cut(const std::string& text, size_t width) {
    if (text_width(text) <= width) return text;
    std::string out;
    size_t characters = 0;
    for (const char c : text) {
      if ((static_cast<uint8_t>(c) & 0xc0) != 0x80 && ++characters >= width) break;
      out.push_back(c);
    }
    return out + "…";
  }

  static std::string values_of(const SlowCall& call) {
    std::string text = call.arguments.empty() ? "" : "(" + profile::arguments_text(call) + ")";
    const std::string result = profile::result_text(call);
    if (call.outcome == wire::CallOutcome::kException)
      text += std::string(text.empty() ? "" : " ") + "threw " + (result.empty() ? "an exception" : result);
    else if (call.outcome == wire::CallOutcome::kNotEnded)
      text += std::string(text.empty() ? "" : " ") + "had not ended";
    else if (!result.empty())
      text += (text.empty() ? "returned " : " returned ") + result;
    return text;
  }

  std::string place_of(const SlowCall& call) const {
    const auto thread = [this](uint32_t index) {
      if (index >= profile_.threads.size()) return std::string("a thread that is not known");
      const profile::Thread& t = profile_.threads[index];
      return t.name + " (" + std::to_string(t.tid) + ")";
    };
    std::string text = "in " + thread(call.thread);
    if (call.ended_in != call.thread) text += ", ended in " + thread(call.ended_in);
    if (traces_.knows_cpu()) text += ", on a processor " + call_time(call.cpu_ns);
    if (call.waiting_ns != 0) text += ", waiting " + call_time(call.waiting_ns);
    return text;
  }

  // The methods that it was in, innermost first, without what runs async ones.
  template <typename Line>
  void stack(const SlowCall& call, Line line) {
    std::vector<std::string> names;
    size_t more = 0;
    for (uint32_t node = call.stack; node != 0; node = profile_.nodes[node].parent) {
      const profile::DisplayFrame& frame = profile_.frames[profile_.nodes[node].frame];
      if (frame.kind != profile::Kind::kManaged || frame.origin == profile::Origin::kAsync) continue;
      if (names.size() < kMostTraceFrames)
        names.push_back(frame.name);
      else
        ++more;
    }
    for (const std::string& name : names) line("  at " + name);
    if (more != 0) line("  and " + counted(more, "further caller"));
  }

  void notes() {
    std::vector<std::string> all;
    if (std::string none = without_methods(traces_); !none.empty()) {
      while (none.ends_with('\n')) none.pop_back();
      all.push_back(std::move(none));
    }
    note_choice(all);
    for (std::string& note : profile::trace_notes(traces_)) all.push_back(std::move(note));
    note_end(all);
    if (!all.empty()) add("\n");
    for (const std::string& sentence : all) add("{}\n", wrap(sentence, terminal_.width));
  }

  void note_choice(std::vector<std::string>& all) const {
    const wire::CallState& choice = traces_.choice;
    if (choice.too_many != 0)
      all.push_back("Left out: " + counted(choice.too_many, "method") +
                    " that match: more than are traced without --yes.");
    if (choice.unloadable != 0)
      all.push_back("Left out: what can be unloaded, " + counted(choice.unloadable, "time") +
                    " an assembly was loaded.");
    if (traces_.session.attached)
      all.emplace_back(
          "Not in it: calls that had begun before, and those that were inlined into code that runs since "
          "before, such as a loop that goes on.");
    if (traces_.session.attached && choice.runtime_async)
      all.emplace_back(
          "Nor those that were inlined into methods whose task the runtime makes itself (runtime-async): it "
          "does not say which these are.");
  }

  void note_end(std::vector<std::string>& all) const {
    for (const wire::Message& message : profile_.messages) {
      if (message.severity == wire::Severity::kWarning || !traces_.complete)
        all.push_back(message.text + ".");
    }
    if (!traces_.complete)
      all.emplace_back(
          "The recording was cut off: the process was ended, or ended itself abruptly, or walkabout did not "
          "wait for its end.");
    if (!profile_.damage.empty()) all.push_back(profile_.damage);
  }

  const Profile& profile_;
  const Traces& traces_;
  const size_t top_;
  const Terminal terminal_;
  const Paint paint_;
  std::string out_;
};

}  // namespace

base::Result<Profile> load_trace(const std::string& path) {
  base::Result<Profile> loaded = profile::load(path, {.in_time_order = false});
  if (loaded.ok() && loaded->traces.empty())
    return base::Status::error("no calls were traced in it; walkabout trace -m PATTERN does it");
  return loaded;
}

std::string without_methods(const Traces& traces) {
  std::string text;
  if (!traces.complete || !traces.choice.looked) return text;
  for (const wire::CallPattern& pattern : traces.patterns) {
    if (pattern.methods != 0) continue;
    text += "No method matches '" + pattern.pattern + "'";
    text += pattern.similar.empty() ? ".\n" : "; names like it: " + pattern.similar + ".\n";
  }
  return text;
}

std::string trace_text(const Profile& profile, size_t top, const Terminal& terminal) {
  return TraceText(profile, top, terminal).text();
}

}  // namespace walkabout::cli
