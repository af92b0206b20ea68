#include "cli/startup_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "cli/quality.h"
#include "console/numbers.h"
#include "profile/names/label_text.h"

namespace walkabout::cli {
namespace {

using profile::Profile;
using profile::Startup;
using profile::StartupItem;
using profile::StartupPart;
using profile::StartupSums;

constexpr size_t kItemColumns = 21;
constexpr size_t kCpuBarColumns = 30;

template <typename Numbers>
uint64_t sum(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), uint64_t{0});
}

// Which events a recording would need for what is missing.
std::string missing(const Startup& s) {
  std::string out;
  const auto name = [&out](bool recorded, const char* event) {
    if (!recorded) out += (out.empty() ? "" : ",") + std::string(event);
  };
  name(s.cpu_ns.has_value(), "cpu");
  name(s.main_ns.has_value(), "wall");
  name(s.exceptions.has_value(), "exceptions");
  name(s.locks.has_value(), "locks");
  name(s.waits.has_value(), "waits");
  name(s.pauses.has_value(), "gc");
  name(s.compiles.has_value(), "jit");
  name(s.loads.has_value(), "loads");
  return out;
}

class StartupText {
 public:
  StartupText(const Profile& profile, const Startup& startup, const Terminal& terminal)
      : profile_(profile), startup_(startup), terminal_(terminal), paint_(terminal.colours) {}

  std::string text() {
    add("{}{}{}\n", paint_.bold(), fit_text(profile_.session.command_line, terminal_.width), paint_.reset());
    add("{}, the first {} since the runtime began to start{}\n\n", profile_.session.runtime,
        duration(startup_.end_us * 1000),
        startup_.end_us >= profile_.duration_us ? ": all of the recording" : "");
    summary();
    parts();
    compiles();
    loads();
    notes();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void heading(const std::string& text) { add("\n{}{}{}\n", paint_.bold(), text, paint_.reset()); }
  void line(const char* what, const std::string& amount, const std::string& more) {
    add("{:<14}{:>9}  {}\n", what, amount, more);
  }

  void summary() {
    if (startup_.cpu_ns) {
      std::string shares;
      for (size_t i = 0; i < startup_.cpu_ns->size(); ++i) {
        const uint64_t ns = (*startup_.cpu_ns)[i];
        if (ns == 0) continue;
        shares += fmt::format("{}{} {:.1f}%", shares.empty() ? "" : "   ",
                              profile::to_string(static_cast<profile::Activity>(i)),
                              percent(ns, sum(*startup_.cpu_ns)));
      }
      line("CPU time", duration(sum(*startup_.cpu_ns)), shares);
    }
    if (startup_.main_ns && sum(*startup_.main_ns) != 0) {
      std::string shares;
      for (const wire::ThreadState state :
           {wire::ThreadState::kRunning, wire::ThreadState::kRunnable, wire::ThreadState::kBlocked})
        shares +=
            fmt::format("{}{} {:.1f}%", shares.empty() ? "" : "   ", profile::to_string(state),
                        percent((*startup_.main_ns)[static_cast<size_t>(state)], sum(*startup_.main_ns)));
      line("First thread", duration(sum(*startup_.main_ns)), shares);
    }
    if (const auto& all = startup_.compiles; all)
      line("Compiling", duration(all->ns),
           fmt::format("{}: {} of code from {} of IL", counted(all->count, "method"),
                       byte_size(all->code_bytes), byte_size(all->il_bytes)));
    if (const auto& all = startup_.loads; all)
      line("Loading", duration(all->types.ns),
           fmt::format(
               "{}; {}", counted(all->types.count, "load") + " of types",
               all->assemblies.size() == 1 ? "1 assembly" : grouped(all->assemblies.size()) + " assemblies"));
    sums("Collecting", startup_.pauses, "pause");
    sums("Locks", startup_.locks, "contention");
    sums("Waits", startup_.waits, "wait");
    if (startup_.exceptions) line("Exceptions", grouped(startup_.exceptions->count), "thrown");
  }
  void sums(const char* what, const std::optional<StartupSums>& all, const char* noun) {
    if (all) line(what, duration(all->ns), counted(all->count, noun));
  }

  // Bars of CPU time, of which the part with the most is the longest.
  void parts() {
    if (!startup_.cpu_ns && !startup_.compiles && !startup_.loads) return;
    heading("Over time");
    add("{}{:>9} {:>9} {:>9} {:>9} {:>9}{}\n", paint_.dim(), "from", startup_.cpu_ns ? "CPU" : "",
        startup_.compiles ? "compiling" : "", startup_.loads ? "loading" : "",
        startup_.pauses ? "pauses" : "", paint_.reset());
    uint64_t most = 0;
    for (const StartupPart& part : startup_.parts) most = std::max(most, sum(part.cpu_ns));
    const auto shown = [](bool recorded, uint64_t ns) {
      return !recorded ? std::string() : ns == 0 ? std::string("-") : duration(ns);
    };
    for (const StartupPart& part : startup_.parts) {
      const uint64_t cpu = sum(part.cpu_ns);
      std::string bar;
      for (size_t i = 0; most != 0 && i < cpu * kCpuBarColumns / most; ++i) bar += "▇";
      add("{:>9} {:>9} {:>9} {:>9} {:>9}  {}\n", part.begin_us == 0 ? "0" : duration(part.begin_us * 1000),
          shown(startup_.cpu_ns.has_value(), cpu), shown(startup_.compiles.has_value(), part.compile_ns),
          shown(startup_.loads.has_value(), part.load_ns), shown(startup_.pauses.has_value(), part.pause_ns),
          bar);
    }
  }

  void compiles() {
    if (!startup_.compiles || startup_.compiles->count == 0) return;
    heading("Compiling by tier");
    for (const profile::StartupTier& tier : startup_.compiles->tiers)
      add("{:>9}  {:>8}  {}\n", duration(tier.sums.ns), grouped(tier.sums.count),
          tier.name.empty() ? "(not known)" : tier.name);
    items("Longest compiles", "compiled for", startup_.compiles->longest);
  }

  void loads() {
    if (!startup_.loads) return;
    items("Longest loads of types", "loaded for", startup_.loads->longest);
    items("Assemblies, as they came", "loaded for", startup_.loads->assemblies);
  }

  void items(const std::string& title, const char* asked, const std::vector<StartupItem>& all) {
    if (all.empty()) return;
    heading(title);
    add("{}{:>9} {:>9}  name, {}{}\n", paint_.dim(), "at", "took", asked, paint_.reset());
    const size_t room = terminal_.room_behind(kItemColumns);
    for (const StartupItem& one : all) {
      add("{:>9} {:>9}  {}\n", duration(one.time_us * 1000), one.ns == 0 ? "" : duration(one.ns),
          one.name.empty() ? "(not known)" : fit_name(one.name, room));
      if (one.caller == profile::kNobody) continue;
      add("{:>19}    {}{}{}\n", "", paint_.dim(),
          fit_name(profile_.frames[one.caller], room == 0 ? 0 : room - 2), paint_.reset());
    }
  }

  void notes() {
    std::string notes;
    const auto note = [&](const std::string& text) { notes += wrap(text, terminal_.width) + "\n"; };
    if (startup_.compiles && startup_.loads)
      note(
          "Compiling and loading have parts in common: a compile loads types, and a type's constructor is "
          "compiled.");
    if (startup_.summed != 0)
      note(fmt::format(
          "{} without stacks: they came faster than stacks are walked, have no names here, and count up to "
          "50 ms later than they were.",
          counted(startup_.summed, "sum of events", "sums of events")));
    if (const std::string events = missing(startup_); !events.empty())
      note("Not recorded: " + events + ". Record a start with all of it: walkabout run --events all");
    for (const std::string& reservation : reservations(profile_)) note(reservation);
    if (!notes.empty()) add("\n{}", notes);
  }

  static std::string counted(uint64_t n, const std::string& one, const std::string& many) {
    return n == 1 ? "1 " + one : grouped(n) + " " + many;
  }
  static std::string counted(uint64_t n, const std::string& noun) { return cli::counted(n, noun); }

  const Profile& profile_;
  const Startup& startup_;
  const Terminal terminal_;
  const Paint paint_;
  std::string out_;
};

Json activities(const std::array<uint64_t, static_cast<size_t>(profile::Activity::kCount)>& cpu_ns) {
  Json json = Json::object();
  for (size_t i = 0; i < cpu_ns.size(); ++i)
    json[profile::to_string(static_cast<profile::Activity>(i))] = seconds(cpu_ns[i]);
  return json;
}

Json sums_json(const StartupSums& sums) { return {{"count", sums.count}, {"seconds", seconds(sums.ns)}}; }

Json items_json(const Profile& profile, const std::vector<StartupItem>& items) {
  Json rows = Json::array();
  for (const StartupItem& one : items)
    rows.push_back({{"name", one.name},
                    {"time", static_cast<double>(one.time_us) / 1e6},
                    {"seconds", seconds(one.ns)},
                    {"caller", one.caller == profile::kNobody ? "" : profile.frames[one.caller].name}});
  return rows;
}

Json parts_json(const std::vector<StartupPart>& parts) {
  Json rows = Json::array();
  for (const StartupPart& part : parts)
    rows.push_back({{"from", static_cast<double>(part.begin_us) / 1e6},
                    {"to", static_cast<double>(part.end_us) / 1e6},
                    {"cpu", activities(part.cpu_ns)},
                    {"compiling", seconds(part.compile_ns)},
                    {"loading", seconds(part.load_ns)},
                    {"pauses", seconds(part.pause_ns)}});
  return rows;
}

}  // namespace

std::string startup_text(const Profile& profile, const Startup& startup, const Terminal& terminal) {
  return StartupText(profile, startup, terminal).text();
}

Json startup_json(const Profile& profile, const Startup& s) {
  Json json;
  json["command_line"] = profile.session.command_line;
  json["runtime"] = profile.session.runtime;
  json["to"] = static_cast<double>(s.end_us) / 1e6;
  if (s.cpu_ns) json["cpu"] = activities(*s.cpu_ns);
  if (s.main_ns) {
    for (const wire::ThreadState state :
         {wire::ThreadState::kRunning, wire::ThreadState::kRunnable, wire::ThreadState::kBlocked})
      json["first_thread"][profile::to_string(state)] = seconds((*s.main_ns)[static_cast<size_t>(state)]);
  }
  if (s.compiles) {
    Json& compiles = json["compiles"] = sums_json(*s.compiles);
    compiles["code_bytes"] = s.compiles->code_bytes;
    compiles["il_bytes"] = s.compiles->il_bytes;
    compiles["tiers"] = Json::array();
    for (const profile::StartupTier& tier : s.compiles->tiers) {
      Json row{{"name", tier.name}};
      row.update(sums_json(tier.sums));
      compiles["tiers"].push_back(std::move(row));
    }
    compiles["longest"] = items_json(profile, s.compiles->longest);
  }
  if (s.loads) {
    json["loads"]["types"] = sums_json(s.loads->types);
    json["loads"]["modules"] = s.loads->modules;
    json["loads"]["assemblies"] = items_json(profile, s.loads->assemblies);
    json["loads"]["longest"] = items_json(profile, s.loads->longest);
  }
  if (s.pauses) json["pauses"] = sums_json(*s.pauses);
  if (s.locks) json["locks"] = sums_json(*s.locks);
  if (s.waits) json["waits"] = sums_json(*s.waits);
  if (s.exceptions) json["exceptions"] = s.exceptions->count;
  json["parts"] = parts_json(s.parts);
  json["sums"] = s.summed;
  json["complete"] = profile.complete;
  json["damage"] = profile.damage;
  return json;
}

}  // namespace walkabout::cli
