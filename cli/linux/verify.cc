#include "cli/linux/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "cli/linux/hresult_name.h"
#include "cli/recordings_of.h"
#include "console/exit_codes.h"
#include "console/numbers.h"
#include "recording/reader.h"
#include "wire/sources.h"

namespace walkabout::cli {
namespace {

using profile::OracleExample;
using profile::Verification;

uint64_t refused(const profile::VerifiedCounts& v) {
  return std::accumulate(v.refused.begin(), v.refused.end(), uint64_t{0},
                         [](uint64_t sum, const auto& r) { return sum + r.second; });
}

std::string example_text(const OracleExample& e) {
  const std::string source = e.source == wire::kCpuSource ? "" : std::string(wire::name_of(e.source)) + " ";
  std::string out = fmt::format("\n{}: thread {}, {}sample {}\n", e.verdict, e.tid, source, e.sample);
  size_t width = 4;
  for (const std::string& frame : e.ours) width = std::max(width, std::min<size_t>(frame.size(), 90));
  out += fmt::format("  {:<{}}   the CLR's\n", "ours", width);
  // Like a diff: equal frames stand beside each other, others alone on their side.
  auto theirs = e.clr.begin();
  const auto line = [&](const std::string& left, const std::string& right) {
    out += right.empty() ? "  " + left + "\n" : fmt::format("  {:<{}}   {}\n", left, width, right);
  };
  for (const std::string& frame : e.ours) {
    const auto same = std::find(theirs, e.clr.end(), frame);
    if (same == e.clr.end()) {
      line(frame, "");
      continue;
    }
    for (; theirs != same; ++theirs) line("", *theirs);
    line(frame, *theirs++);
  }
  for (; theirs != e.clr.end(); ++theirs) line("", *theirs);
  return out;
}

std::string row(const std::string& what, uint64_t count, uint64_t of) {
  return fmt::format("{:<44}{:>12}  {:>8.3f}%\n", what, grouped(count), percent(count, of));
}

Json cost_json(const profile::WalkCost& cost) {
  return {{"samples", cost.samples},
          {"our_cycles_p50", cost.our_cycles_p50},
          {"clr_samples", cost.clr_samples},
          {"clr_cycles_p50", cost.clr_cycles_p50},
          {"clr_second_cycles_p50", cost.clr_second_cycles_p50},
          {"our_second_cycles_p50", cost.our_second_cycles_p50}};
}

}  // namespace

namespace {

Json counts_json(const profile::VerifiedCounts& v) {
  Json json;
  json["compared"] = v.compared;
  json["equal"] = v.equal;
  json["different"] = v.compared - v.equal;
  json["frames"] = v.frames.all;
  json["frames_equal"] = v.frames.equal;
  json["explained"] = Json::object();
  for (const auto& [rule, count] : v.explained) json["explained"][rule] = count;
  json["unexplained"] = v.unexplained;
  json["refused"] = Json::object();
  for (const auto& [hresult, count] : v.refused) json["refused"][hresult_name(hresult)] = count;
  json["not_asked"] = v.without_managed_frame;
  json["shortened"] = v.shortened;
  json["cut"] = v.cut;
  json["missing"] = v.missing;
  return json;
}

bool has_events(const Verification& v) {
  return std::any_of(v.by_source.begin(), v.by_source.end(),
                     [](const auto& one) { return one.first != wire::kCpuSource; });
}

}  // namespace

Json verify_json(const Verification& v) {
  Json json = counts_json(v);
  if (has_events(v)) {
    for (const auto& [source, counts] : v.by_source)
      json["events"][std::string(wire::name_of(source))] = counts_json(counts);
  }
  json["cost"] = Json::object();
  json["cost"]["all"] = cost_json(v.all_costs);
  for (const auto& [depth, cost] : v.cost) json["cost"][std::to_string(depth)] = cost_json(cost);
  json["examples"] = Json::array();
  for (const OracleExample& e : v.examples) {
    json["examples"].push_back(
        {{"verdict", e.verdict}, {"tid", e.tid}, {"sample", e.sample}, {"ours", e.ours}, {"clr", e.clr}});
    if (e.source != wire::kCpuSource) json["examples"].back()["event"] = wire::name_of(e.source);
  }
  return json;
}

namespace {

std::string events_text(const Verification& v) {
  std::string out = fmt::format("\n{:<12}{:>12}{:>12}{:>12}{:>13}{:>10}{:>12}\n", "by event", "compared",
                                "equal", "explained", "unexplained", "refused", "no managed");
  for (const auto& [source, counts] : v.by_source) {
    const uint64_t explained = counts.compared - counts.equal - counts.unexplained;
    out += fmt::format("{:<12}{:>12}{:>12}{:>12}{:>13}{:>10}{:>12}\n", wire::name_of(source),
                       grouped(counts.compared), grouped(counts.equal), grouped(explained),
                       grouped(counts.unexplained), grouped(refused(counts)),
                       grouped(counts.without_managed_frame));
  }
  return out;
}

}  // namespace

std::string verify_text(const Verification& v) {
  std::string out = row("samples compared", v.compared, v.compared);
  out += row("equal", v.equal, v.compared);
  out += row("managed frames in them", v.frames.all, v.frames.all);
  out += row("equal, address by address", v.frames.equal, v.frames.all);
  out += row("different samples", v.compared - v.equal, v.compared);
  for (const auto& [rule, count] : v.explained) out += row("  explained: " + rule, count, v.compared);
  out += row("  unexplained", v.unexplained, v.compared);
  const uint64_t requested = v.compared + refused(v) + v.shortened + v.cut + v.missing;
  out += "\n" + row("the CLR refused", refused(v), requested);
  for (const auto& [hresult, count] : v.refused) out += row("  " + hresult_name(hresult), count, requested);
  if (v.without_managed_frame > 0)
    out += fmt::format("{:<44}{:>12}\n", "no managed frame, nothing to compare",
                       grouped(v.without_managed_frame));
  if (v.shortened > 0)
    out += fmt::format("{:<44}{:>12}\n", "too deep to compare (frames left out)", grouped(v.shortened));
  if (v.cut > 0)
    out += fmt::format("{:<44}{:>12}\n", "cut off before the thread's entry, as marked", grouped(v.cut));
  if (v.missing > 0)
    out += fmt::format("{:<44}{:>12}\n", "sample lost to damage of the file", grouped(v.missing));
  if (has_events(v)) out += events_text(v);
  if (const profile::WalkCost& cost = v.all_costs; cost.clr_cycles_p50 > 0) {
    out += fmt::format(
        "\nmedian cost of a walk, each where it came first: ours {} cycles, the CLR's {} ({:.1f} times)\n",
        grouped(cost.our_cycles_p50), grouped(cost.clr_cycles_p50),
        static_cast<double>(cost.clr_cycles_p50) /
            static_cast<double>(std::max<uint64_t>(cost.our_cycles_p50, 1)));
  }
  for (const OracleExample& e : v.examples) out += example_text(e);
  return out;
}

namespace {

struct Verified {
  RecordingFile file;
  Verification result;
};

bool is_empty(const Verification& v) {
  return v.compared + refused(v) + v.without_managed_frame + v.shortened + v.cut + v.missing == 0;
}

void print_all(const std::vector<Verified>& all, bool json, bool several) {
  if (json && !several) return print_json(verify_json(all[0].result));
  Json objects = Json::array();
  std::string text;
  for (const Verified& one : all) {
    if (!one.file.name.empty()) text += (text.empty() ? "" : "\n") + one.file.title() + "\n";
    text += verify_text(one.result);
    if (!several) continue;
    Json object = {{"pid", one.file.pid}, {"name", one.file.name}};
    object.update(verify_json(one.result));
    objects.push_back(std::move(object));
  }
  json ? print_json({{"processes", objects}}) : print(text);
}

}  // namespace

int verify(const VerifyOptions& options) {
  const base::Result<RecordingFiles> files = recordings_of(options.file, options.process);
  if (!files.ok()) return fail(kFailure, files.message());
  std::vector<Verified> all;
  bool failed = false;
  for (const RecordingFile& file : files->files) {
    profile::VerifyCollector collector;
    const base::Result<recording::ReadSummary> summary = recording::read_recording(file.path, collector);
    failed |= !summary.ok();
    if (!summary.ok())
      fail(kFailure, summary.message());
    else if (!summary->damage.empty())
      fail(kSuccess, file.path + ": " + summary->damage);
    Verification v = collector.verify(options.examples);
    if (summary.ok() && !is_empty(v)) all.push_back({file, std::move(v)});
  }
  if (all.empty()) {
    return failed ? kFailure
                  : fail(kFailure,
                         options.file + " has nothing to verify: record with `walkabout run --oracle`");
  }
  print_all(all, options.json, files->is_index && options.process == 0);
  if (failed) return kFailure;
  return std::any_of(all.begin(), all.end(), [](const Verified& one) { return one.result.unexplained > 0; })
             ? kDifferent
             : kSuccess;
}

void add_verify(CommandLine& line) {
  auto options = std::make_shared<VerifyOptions>();
  Verb verb = line.verb("verify", "compare a recording's stacks with the CLR's own (run --oracle)");
  verb.option("file", options->file, "a recording made with run --oracle").required().shown_as("FILE.walk");
  verb.option("--examples", options->examples, "differences to show of each kind, both stacks (default 3)");
  verb.option("--process", options->process, "of several processes only this one").shown_as("PID");
  verb.flag("--json", options->json, "for programs (keys: docs/json.md)");
  verb.footer(
      "Equal means: the same managed methods at the same instruction addresses. A difference with a known "
      "reason is\n"
      "counted under its rule's name; the rules are in verify/oracle_compare.h.\n"
      "Examples:\n"
      "  walkabout run --oracle -o app.walk -- dotnet app.dll && walkabout verify app.walk\n"
      "  walkabout verify app.walk --examples 20\n"
      "  walkabout verify app.walk --json | jq '.equal / .compared'\n"
      "Exit code: 0 no unexplained difference, 1 it could not be done (the cause is on stderr), 2 wrong "
      "options,\n"
      "3 there are unexplained differences.");
  verb.action([options] { return verify(*options); });
}

}  // namespace walkabout::cli
