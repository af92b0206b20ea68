#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/event_text.h"
#include "cli/report_view.h"
#include "console/numbers.h"
#include "profile/names/label_text.h"
#include "profile/names/tier_text.h"
#include "profile/query/blocked.h"
#include "profile/query/by_label.h"
#include "profile/query/by_line.h"
#include "profile/query/compiled_again.h"
#include "profile/query/folding.h"
#include "profile/query/managed_code.h"
#include "profile/query/runtime_work.h"
#include "profile/query/sync_over_async.h"
#include "profile/query/view.h"
#include "recording/words.h"

namespace walkabout::cli {
namespace {

using profile::Amount;
using profile::DisplayFrame;
using profile::Profile;
using profile::Totals;

class JsonReport {
 public:
  JsonReport(const Profile& profile, const Profile& whole, const Totals& totals, const ReportOptions& options)
      : profile_(profile),
        whole_(whole),
        totals_(totals),
        options_(options),
        source_(profile::source_of(profile, profile::view_of(profile))),
        value_(profile::viewed_value(profile)) {}

  Json json() const;

 private:
  Json amount(const Amount& a) const {
    Json json;
    add_amount(a, json);
    return json;
  }
  void add_amount(const Amount& a, Json& to) const {
    if (is_time(value_))
      to["seconds"] = seconds(a.weight);
    else
      to[value_.unit] = a.weight;
    to["samples"] = a.samples;
  }
  Json functions(const std::vector<Amount>& by) const;
  Json tree() const;
  Json threads() const;
  Json period() const { return source_.clock == 0 ? Json(source_.period) : Json(seconds(source_.period)); }
  void add_event(Json& to) const;
  void add_blocked(Json& to) const;
  void add_pool_waits(Json& to) const;
  void add_labels(Json& to) const;
  void add_compiled_again(Json& to) const;
  void add_over_time(Json& to) const;

  const Profile& profile_;
  const Profile& whole_;
  const Totals& totals_;
  const ReportOptions& options_;
  const wire::Source& source_;
  const wire::SourceValue& value_;
};

void add_frame(const DisplayFrame& frame, Json& to) {
  to["name"] = frame.name;
  to["raw_name"] = frame.raw_name;
  to["module"] = frame.module;
  to["kind"] = profile::to_string(frame.kind);
  if (frame.inlined) to["inlined"] = true;
  if (const std::string tier = profile::tiers_text(frame.tiers); !tier.empty()) to["tier"] = tier;
  if (!frame.place.known()) return;
  to["file"] = frame.place.file;
  to["lines"] = frame.place.lines;
  to["sure"] = frame.place.sure;
}

Json JsonReport::functions(const std::vector<Amount>& by) const {
  Json rows = Json::array();
  std::vector<Amount> shown = by;
  for (size_t i = 0; options_.lines && i < shown.size(); ++i) {
    if (!profile_.frames[i].place.known()) shown[i] = {};
  }
  for (const uint32_t frame : profile::heaviest(shown, options_.top)) {
    Json row;
    add_frame(profile_.frames[frame], row);
    row["self"] = amount(totals_.frame_self[frame]);
    row["total"] = amount(totals_.frame_total[frame]);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Flat, each node after its parent: as deep as the stacks are, which a nested value could not be.
Json JsonReport::tree() const {
  Json rows = Json::array();
  for (const TreeRow& row : tree_rows(profile_, totals_, options_.min_percent)) {
    Json json;
    json["parent"] = row.parent;
    json["hidden"] = row.hidden;
    if (row.hidden == 0) {
      add_frame(profile_.frames[profile_.nodes[row.node].frame], json);
      json["name"] = profile::name_of(profile_, row.node);
      json["self"] = amount(totals_.node_self[row.node]);
    }
    json["total"] = amount(row.amount);
    rows.push_back(std::move(json));
  }
  return rows;
}

Json JsonReport::threads() const {
  Json rows = Json::array();
  for (const profile::Thread& t : profile_.threads) {
    Json row{{"name", t.name}, {"tid", t.tid}, {"kind", recording::to_string(t.kind)}};
    add_amount({t.weight, t.samples}, row);
    if (source_.id == wire::kCpuSource) row["unsampled_seconds"] = seconds(t.unsampled_ns);
    rows.push_back(std::move(row));
  }
  return rows;
}

void JsonReport::add_event(Json& to) const {
  if (profile_.sources.size() > 1) {
    to["events"] = Json::array();
    for (const wire::Source& source : profile_.sources) to["events"].push_back(source.name);
  }
  if (source_.id == wire::kCpuSource) return;
  to["event"] = source_.name;
  to["value"] = value_.name;
  to["unit"] = value_.unit;
  to["period"] = period();
  const uint64_t not_walked = totals_.walk_end[static_cast<size_t>(wire::WalkEnd::kNotWalked)];
  if (not_walked != 0) to["not_walked"] = not_walked;
  if (totals_.not_walked != 0 && totals_.adding == wire::Adding::kSum)
    to["walked_share"] = 1 - percent(totals_.not_walked, totals_.all.weight) / 100;
}

void JsonReport::add_blocked(Json& to) const {
  const std::optional<profile::Blocked> blocked = profile::blocked(whole_, profile::view_of(whole_));
  if (!blocked) return;
  for (const wire::ThreadState state :
       {wire::ThreadState::kRunning, wire::ThreadState::kRunnable, wire::ThreadState::kBlocked})
    to["states"][profile::to_string(state)] = amount(blocked->states[static_cast<size_t>(state)]);
  to["blocked_by_call"] = Json::array();
  for (const profile::BlockedCall& call : blocked->calls) {
    Json row{{"call", profile::system_call_text(call.call, profile_.session.os)}};
    add_amount(call.amount, row);
    to["blocked_by_call"].push_back(std::move(row));
  }
  const auto name = [this](uint32_t frame) {
    return frame == profile::kNoFrame ? "" : profile_.frames[frame].name;
  };
  to["blocked_by_lock"] = Json::array();
  for (const profile::Wait& wait : blocked->waits) {
    Json row{{"method", name(wait.method)}, {"caller", name(wait.caller)}};
    add_amount(wait.amount, row);
    to["blocked_by_lock"].push_back(std::move(row));
  }
}

void JsonReport::add_pool_waits(Json& to) const {
  const auto found = profile::sync_over_async(whole_, profile::view_of(whole_));
  if (!found) return;
  Json& json = to["sync_over_async"] = amount(found->amount);
  json["waits"] = Json::array();
  const auto name = [this](uint32_t frame) {
    return frame == profile::kNoFrame ? "" : profile_.frames[frame].name;
  };
  for (const profile::Wait& wait : found->waits) {
    Json row{{"method", name(wait.method)}, {"caller", name(wait.caller)}};
    add_amount(wait.amount, row);
    json["waits"].push_back(std::move(row));
  }
}

void JsonReport::add_labels(Json& to) const {
  for (const profile::ByLabel& label : profile::by_label(profile_, profile::view_of(profile_))) {
    Json& rows = to["by_label"][label.label.name] = Json::array();
    for (const profile::LabelAmount& one : label.values) {
      Json row{{"text", profile::label_text(profile_, label.label, one.value)}};
      add_amount(one.amount, row);
      rows.push_back(std::move(row));
    }
  }
}

void JsonReport::add_compiled_again(Json& to) const {
  for (const profile::CompiledAgain& method : profile::compiled_again(profile_)) {
    Json compiles = Json::array();
    for (const profile::Compile& one : method.compiles)
      compiles.push_back({{"time", static_cast<double>(one.time_us) / 1e6},
                          {"seconds", seconds(one.ns)},
                          {"tier", one.tier}});
    to["compiled_again"].push_back({{"method", method.method}, {"compiles", std::move(compiles)}});
  }
}

void JsonReport::add_over_time(Json& to) const {
  const profile::Gauges& gauges = profile_.gauges;
  if (gauges.time_us.empty() || profile_.processes > 1) return;
  Json& over_time = to["over_time"];
  for (const wire::SourceValue& value : gauges.values)
    over_time["values"].push_back({{"name", value.name}, {"unit", value.unit}});
  auto measured = gauges.measured.begin();
  for (const uint64_t time_us : gauges.time_us) {
    Json amounts = Json::array();
    for (size_t i = 0; i < gauges.values.size(); ++i) amounts.push_back(*measured++);
    over_time["measured"].push_back({{"time", static_cast<double>(time_us) / 1e6}, {"amounts", amounts}});
  }
}

Json JsonReport::json() const {
  Json json;
  json["command_line"] = profile_.session.command_line;
  json["runtime"] = profile_.session.runtime;
  json["duration"] = static_cast<double>(profile_.duration_us) / 1e6;
  json["interval"] = seconds(profile_.session.interval_ns);
  json["engine"] = recording::to_string(profile_.session.engine);
  json["total"] = amount(totals_.all);
  for (size_t i = 0; i < totals_.activity.size(); ++i) {
    json["activity"][profile::to_string(static_cast<profile::Activity>(i))] = amount(totals_.activity[i]);
  }
  const profile::View view = profile::view_of(whole_);
  const std::vector<profile::Row> rows = profile::activity_rows(whole_, view);
  const profile::ManagedCode code = profile::managed_code(whole_, view, rows);
  json["managed_code"] = {{"mine", amount(code.mine)}, {"framework", amount(code.framework)}};
  for (const profile::RuntimeWork& one : profile::runtime_work(whole_, view, rows))
    json["runtime_work"][std::string(one.what)] = amount(one.amount);
  for (const profile::RuntimeWork& one : profile::collectors_work(whole_, view, rows))
    json["gc_work"][std::string(one.what)] = amount(one.amount);
  json["rooted"] = totals_.walk_end[static_cast<size_t>(wire::WalkEnd::kRooted)];
  json["shortened"] = totals_.shortened;
  json["whole"] = totals_.whole;
  json["threads"] = threads();
  if (options_.tree) {
    json["tree"] = tree();
  } else if (options_.lines) {
    json["lines_self"] = functions(totals_.frame_self);
    json["lines_total"] = functions(totals_.frame_total);
  } else {
    json["top_self"] = functions(totals_.frame_self);
    json["top_total"] = functions(totals_.frame_total);
  }
  if (options_.lines) {
    const profile::LineCover cover = profile::line_cover(whole_, profile_, totals_);
    json["line_cover"] = {{"managed", amount(cover.managed)},
                          {"sure", amount(cover.sure)},
                          {"unsure", amount(cover.unsure)},
                          {"native", amount(cover.native)},
                          {"native_sure", amount(cover.native_sure)}};
  }
  json["stripped"] = profile_.stripped;
  json["complete"] = profile_.complete;
  json["damage"] = profile_.damage;
  add_event(json);
  add_blocked(json);
  add_pool_waits(json);
  add_labels(json);
  add_compiled_again(json);
  add_over_time(json);
  return json;
}

Json unhandled_json(const Profile& profile, const profile::Unhandled& unhandled) {
  const profile::Thread& thread = profile.threads[unhandled.thread];
  Json json{{"type", unhandled.type},
            {"message", unhandled.message},
            {"time", static_cast<double>(unhandled.time_us) / 1e6},
            {"thread", thread.name},
            {"tid", thread.tid},
            {"stack", Json::array()}};
  for (const profile::DisplayFrame& frame : unhandled.stack) json["stack"].push_back(frame.name);
  return json;
}

}  // namespace

Json report_json(const Profile& profile, const Profile& whole, const Totals& totals,
                 const ReportOptions& options, const std::optional<profile::Unhandled>& unhandled,
                 const std::vector<std::string>& hints) {
  Json json = JsonReport(profile, whole, totals, options).json();
  if (unhandled) json[unhandled->proved ? "unhandled" : "last_thrown"] = unhandled_json(profile, *unhandled);
  if (!hints.empty()) json["hints"] = hints;
  return json;
}

}  // namespace walkabout::cli
