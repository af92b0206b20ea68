#include <nlohmann/json.hpp>

#include "cli/report_view.h"
#include "console/numbers.h"
#include "recording/words.h"

namespace walkabout::cli {
namespace {

using profile::Amount;
using profile::DisplayFrame;
using profile::Profile;
using profile::Totals;

Json amount(const Amount& a) { return {{"seconds", seconds(a.weight)}, {"samples", a.samples}}; }

void add_frame(const DisplayFrame& frame, Json& to) {
  to["name"] = frame.name;
  to["raw_name"] = frame.raw_name;
  to["module"] = frame.module;
  to["kind"] = profile::to_string(frame.kind);
}

Json functions(const Profile& profile, const Totals& totals, const std::vector<Amount>& by, size_t top) {
  Json rows = Json::array();
  for (const uint32_t frame : profile::heaviest(by, top)) {
    Json row;
    add_frame(profile.frames[frame], row);
    row["self"] = amount(totals.frame_self[frame]);
    row["total"] = amount(totals.frame_total[frame]);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Flat, each node after its parent: as deep as the stacks are, which a nested value could not be.
Json tree(const Profile& profile, const Totals& totals, double min_percent) {
  Json rows = Json::array();
  for (const TreeRow& row : tree_rows(profile, totals, min_percent)) {
    Json json;
    json["parent"] = row.parent;
    json["hidden"] = row.hidden;
    if (row.hidden == 0) {
      add_frame(profile.frames[profile.nodes[row.node].frame], json);
      json["self"] = amount(totals.node_self[row.node]);
    }
    json["total"] = amount(row.amount);
    rows.push_back(std::move(json));
  }
  return rows;
}

Json threads(const Profile& profile) {
  Json rows = Json::array();
  for (const profile::Thread& t : profile.threads) {
    rows.push_back({{"name", t.name},
                    {"tid", t.tid},
                    {"kind", recording::to_string(t.kind)},
                    {"seconds", seconds(t.weight)},
                    {"samples", t.samples},
                    {"unsampled_seconds", seconds(t.unsampled_ns)}});
  }
  return rows;
}

}  // namespace

Json report_json(const Profile& profile, const Totals& totals, const ReportOptions& options) {
  Json json;
  json["command_line"] = profile.session.command_line;
  json["runtime"] = profile.session.runtime;
  json["duration"] = static_cast<double>(profile.duration_us) / 1e6;
  json["interval"] = seconds(profile.session.interval_ns);
  json["engine"] = recording::to_string(profile.session.engine);
  json["total"] = amount(totals.all);
  for (size_t i = 0; i < totals.activity.size(); ++i) {
    json["activity"][profile::to_string(static_cast<profile::Activity>(i))] = amount(totals.activity[i]);
  }
  json["rooted"] = totals.walk_end[static_cast<size_t>(wire::WalkEnd::kRooted)];
  json["shortened"] = totals.shortened;
  json["whole"] = totals.whole;
  json["threads"] = threads(profile);
  if (options.tree) {
    json["tree"] = tree(profile, totals, options.min_percent);
  } else {
    json["top_self"] = functions(profile, totals, totals.frame_self, options.top);
    json["top_total"] = functions(profile, totals, totals.frame_total, options.top);
  }
  json["stripped"] = profile.stripped;
  json["complete"] = profile.complete;
  json["damage"] = profile.damage;
  return json;
}

}  // namespace walkabout::cli
