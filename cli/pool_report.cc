#include "cli/pool_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/quality.h"
#include "console/numbers.h"

namespace walkabout::cli {
namespace {

using profile::PoolBlocked;
using profile::PoolCall;
using profile::PoolReason;
using profile::PoolWait;
using profile::PoolWorkers;
using profile::Profile;

constexpr char kWaits[] = "waits";
constexpr char kQueue[] =
    "How many work items waited in the queue is not known: the runtime tells nobody as they come and go, and "
    "asking it for that changes the program.";
constexpr size_t kBarColumns = 30;
constexpr size_t kPoolWaitColumns = 18;

std::string number(const std::optional<uint64_t>& n) { return n ? grouped(*n) : "?"; }

std::string moment(uint64_t us) { return us == 0 ? "0" : duration(us * 1000); }

// "18.4"
double mean(uint64_t blocked_ns, uint64_t begin_us, uint64_t end_us) {
  return begin_us >= end_us
             ? 0
             : static_cast<double>(blocked_ns) / (static_cast<double>(end_us - begin_us) * 1000);
}

// Which events a recording would need for what is missing.
std::string missing(const PoolReport& report) {
  std::string out = report.workers ? "" : "threads";
  if (!report.blocked) out += out.empty() ? "wall" : ",wall";
  return out;
}

class PoolText {
 public:
  PoolText(const Profile& profile, const PoolReport& report, const Terminal& terminal)
      : profile_(profile), report_(report), terminal_(terminal), paint_(terminal.colours) {}

  std::string text() {
    add("{}{}{}\n", paint_.bold(), fit_text(profile_.session.command_line, terminal_.width), paint_.reset());
    add("{}, thread pool, {} to {} of {}\n\n", profile_.session.runtime, moment(report_.begin_us),
        moment(report_.end_us), duration(profile_.duration_us * 1000));
    if (report_.workers) workers(*report_.workers);
    if (report_.blocked) blocked(*report_.blocked);
    if (report_.workers && !report_.workers->reasons.empty()) reasons(report_.workers->reasons);
    parts();
    if (report_.blocked) waits(*report_.blocked);
    notes();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void heading(const std::string& text) { add("\n{}{}{}\n", paint_.bold(), text, paint_.reset()); }

  void workers(const PoolWorkers& w) {
    add("{:<16} {} at the begin, {} at most, {} at the end: {} began, {} ended\n", "Workers", number(w.begin),
        number(w.most), number(w.end), grouped(w.begun), grouped(w.ended));
    for (const PoolReason& reason : w.reasons) {
      if (reason.name == profile::kStarvation)
        add("{:<16} {}: work waited, and no worker took any for half a second or longer\n", "Starved",
            reason.times == 1 ? "once" : grouped(reason.times) + " times");
    }
  }

  void blocked(const PoolBlocked& b) {
    add("{:<16} {:.1f} workers on average{}, {} in sum\n", "Blocked",
        mean(b.all.weight, report_.begin_us, report_.end_us),
        b.most ? ", " + grouped(*b.most) + " at most at once" : "", duration(b.all.weight));
    const profile::Amount& tasks = b.calls[static_cast<size_t>(PoolCall::kTask)];
    if (tasks.samples == 0) return;
    add("{:<16} {}, {:.1f}% of it: workers waited for tasks, which may need a worker\n", "Sync over async",
        duration(tasks.weight), percent(tasks.weight, b.all.weight));
  }

  void reasons(const std::vector<PoolReason>& all) {
    heading("Why the pool changed how many workers shall run");
    add("{}{:>7} {:>7} {:>7} {:>9} {:>9}  reason{}\n", paint_.dim(), "times", "added", "removed", "first",
        "last", paint_.reset());
    for (const PoolReason& reason : all)
      add("{:>7} {:>7} {:>7} {:>9} {:>9}  {}\n", grouped(reason.times), grouped(reason.added),
          grouped(reason.removed), moment(reason.first_us), moment(reason.last_us), reason.name);
  }

  // Bars of blocked workers; the longest is the part with the most.
  void parts() {
    const size_t n = report_.blocked ? report_.blocked->parts.size()
                                     : (report_.workers ? report_.workers->parts.size() : 0);
    if (n == 0) return;
    uint64_t largest = 0;
    for (size_t i = 0; report_.blocked && i < n; ++i)
      largest = std::max(largest, report_.blocked->parts[i].blocked_ns);
    heading("Over time");
    add("{}{:>9} {:>9} {:>9} {:>9} {:>9}{}\n", paint_.dim(), "from", report_.workers ? "workers" : "",
        report_.workers ? "added" : "", report_.blocked ? "blocked" : "", report_.blocked ? "at most" : "",
        paint_.reset());
    for (size_t i = 0; i < n; ++i) {
      std::string workers, added, mean_blocked, most, bar;
      uint64_t begin_us = 0;
      if (report_.workers) {
        const profile::PoolPart& part = report_.workers->parts[i];
        begin_us = part.begin_us;
        workers = number(part.most);
        added = part.added == 0 ? "-" : grouped(part.added);
      }
      if (report_.blocked) {
        const profile::PoolBlockedPart& part = report_.blocked->parts[i];
        begin_us = part.begin_us;
        mean_blocked = fmt::format("{:.1f}", mean(part.blocked_ns, part.begin_us, part.end_us));
        most = number(part.most);
        for (size_t n_bars = largest == 0 ? 0 : part.blocked_ns * kBarColumns / largest; n_bars > 0; --n_bars)
          bar += "▇";
      }
      add("{:>9} {:>9} {:>9} {:>9} {:>9}  {}\n", moment(begin_us), workers, added, mean_blocked, most, bar);
    }
  }

  void waits(const PoolBlocked& b) {
    if (b.waits.empty()) return;
    heading("Where workers were blocked");
    add("{}{:>16}  how: in which call, of which method{}\n", paint_.dim(), "", paint_.reset());
    const size_t room = terminal_.room_behind(kPoolWaitColumns);
    for (size_t i = 0; i < std::min(report_.top, b.waits.size()); ++i) {
      const PoolWait& wait = b.waits[i];
      std::string what = profile::to_string(wait.call);
      if (wait.method != profile::kNoFrame) what += ": " + profile_.frames[wait.method].name;
      add("{:>6.1f}% {:>8}  {}\n", percent(wait.amount.weight, b.all.weight), duration(wait.amount.weight),
          fit_name(what, room));
      const size_t caller_room = room == 0 ? 0 : room - 2;
      const std::string caller = wait.caller == profile::kNoFrame
                                     ? fit_text("(no method outside of System and Microsoft)", caller_room)
                                     : fit_name(profile_.frames[wait.caller], caller_room);
      add("{:>16}    {}{}{}\n", "", paint_.dim(), caller, paint_.reset());
    }
  }

  void notes() {
    std::string notes;
    const auto note = [&](const std::string& text) { notes += wrap(text, terminal_.width) + "\n"; };
    note(kQueue);
    if (report_.blocked && report_.blocked_event == kWaits)
      note(
          "Blocked workers are those of waits that ended; sleeps, sockets and native code are not among them "
          "(--events wall has all).");
    if (report_.blocked && report_.blocked->unknown_ns * 100 > report_.blocked->all.weight)
      note("In " + duration(report_.blocked->unknown_ns) +
           " workers were blocked whose stacks do not say whether they had work: it is not in the above.");
    if (report_.workers && report_.workers->summed != 0)
      note(counted(report_.workers->summed, "event") +
           " of the pool came so fast that their moments are known to 50 ms alone.");
    if (profile_.thinned.span_us != 0)
      note("The recording has so many samples that equal ones were put together: moments are known to " +
           duration(profile_.thinned.span_us * 1000) + " alone.");
    if (const std::string events = missing(report_); !events.empty())
      note("Not recorded: " + events + ". Record it with --events cpu,wall,threads.");
    for (const std::string& reservation : reservations(profile_)) note(reservation);
    add("\n{}", notes);
  }

  const Profile& profile_;
  const PoolReport& report_;
  const Terminal terminal_;
  const Paint paint_;
  std::string out_;
};

Json or_null(const std::optional<uint64_t>& n) { return n ? Json(*n) : Json(nullptr); }

double at(uint64_t us) { return static_cast<double>(us) / 1e6; }

Json workers_json(const PoolWorkers& w) {
  Json json{{"begin", or_null(w.begin)}, {"most", or_null(w.most)}, {"end", or_null(w.end)},
            {"begun", w.begun},          {"ended", w.ended},        {"changes", Json::array()}};
  for (const PoolReason& reason : w.reasons)
    json["changes"].push_back({{"reason", reason.name},
                               {"times", reason.times},
                               {"added", reason.added},
                               {"removed", reason.removed},
                               {"first", at(reason.first_us)},
                               {"last", at(reason.last_us)}});
  json["sums"] = w.summed;
  return json;
}

Json blocked_json(const Profile& profile, const PoolReport& report) {
  const PoolBlocked& b = *report.blocked;
  const auto name = [&](uint32_t frame) {
    return frame == profile::kNoFrame ? "" : profile.frames[frame].name;
  };
  Json json{{"event", report.blocked_event},
            {"seconds", seconds(b.all.weight)},
            {"mean", mean(b.all.weight, report.begin_us, report.end_us)},
            {"most", or_null(b.most)},
            {"unknown_seconds", seconds(b.unknown_ns)},
            {"by_call", Json::object()},
            {"waits", Json::array()}};
  for (size_t i = 0; i < b.calls.size(); ++i) {
    if (b.calls[i].samples != 0)
      json["by_call"][profile::to_string(static_cast<PoolCall>(i))] = seconds(b.calls[i].weight);
  }
  for (size_t i = 0; i < std::min(report.top, b.waits.size()); ++i) {
    const PoolWait& wait = b.waits[i];
    json["waits"].push_back({{"how", profile::to_string(wait.call)},
                             {"method", name(wait.method)},
                             {"caller", name(wait.caller)},
                             {"seconds", seconds(wait.amount.weight)},
                             {"samples", wait.amount.samples}});
  }
  return json;
}

Json parts_json(const PoolReport& report) {
  Json rows = Json::array();
  const size_t n = report.blocked ? report.blocked->parts.size() : 0;
  const size_t m = report.workers ? report.workers->parts.size() : 0;
  for (size_t i = 0; i < std::max(n, m); ++i) {
    Json row;
    if (i < m) {
      const profile::PoolPart& part = report.workers->parts[i];
      row = {{"from", at(part.begin_us)},
             {"to", at(part.end_us)},
             {"workers", or_null(part.most)},
             {"added", part.added}};
    }
    if (i < n) {
      const profile::PoolBlockedPart& part = report.blocked->parts[i];
      row["from"] = at(part.begin_us);
      row["to"] = at(part.end_us);
      row["blocked_mean"] = mean(part.blocked_ns, part.begin_us, part.end_us);
      row["blocked_most"] = or_null(part.most);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string pool_text(const Profile& profile, const PoolReport& report, const Terminal& terminal) {
  return PoolText(profile, report, terminal).text();
}

Json pool_json(const Profile& profile, const PoolReport& report) {
  Json json;
  json["command_line"] = profile.session.command_line;
  json["pid"] = profile.session.pid;
  json["runtime"] = profile.session.runtime;
  json["from"] = at(report.begin_us);
  json["to"] = at(report.end_us);
  if (report.workers) json["workers"] = workers_json(*report.workers);
  if (report.blocked) json["blocked"] = blocked_json(profile, report);
  json["parts"] = parts_json(report);
  json["complete"] = profile.complete;
  json["damage"] = profile.damage;
  return json;
}

}  // namespace walkabout::cli
