#include "formats/html_payload.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "formats/html_columns.h"

namespace walkabout::formats {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kWalkEnds = {"rooted",      "no_unwind_info", "bad_memory", "bad_return",
                                  "no_progress", "too_deep",       "gap"};
constexpr std::array kDropCauses = {"ring_full", "throttled", "stopping", "corrupt", "killed", "blocked"};
static_assert(kWalkEnds.size() == static_cast<size_t>(wire::WalkEnd::kCount));
static_assert(kDropCauses.size() == static_cast<size_t>(wire::DropCause::kCount));

const char* kind_name(wire::ThreadKind kind) {
  if (kind == wire::ThreadKind::kManaged) return "managed";
  return kind == wire::ThreadKind::kAgent ? "agent" : "native";
}

class Strings {
 public:
  uint32_t intern(std::string text) {
    const auto [it, added] = known_.emplace(std::move(text), list_.size());
    if (added) list_.push_back(it->first);
    return it->second;
  }
  const Json& list() const { return list_; }

 private:
  std::unordered_map<std::string, uint32_t> known_;
  Json list_ = Json::array();
};

void add_frames(const HtmlTree& tree, Strings& strings, std::vector<Column>& columns) {
  Column name("frame.name"), raw("frame.raw"), module("frame.module"), kind("frame.kind");
  for (const HtmlFrame& frame : tree.frames) {
    std::string raw_name(frame.raw_name);
    if (frame.more_raw_names > 0) {
      if (raw_name.empty()) raw_name = frame.name;
      raw_name += " (and " + std::to_string(frame.more_raw_names) + " more)";
    }
    name.add(strings.intern(std::string(frame.name)));
    raw.add(strings.intern(std::move(raw_name)));
    module.add(strings.intern(std::string(frame.module)));
    kind.add(static_cast<uint64_t>(frame.kind));
  }
  for (Column* column : {&name, &raw, &module, &kind}) columns.push_back(std::move(*column));
}

void add_nodes(const HtmlTree& tree, std::vector<Column>& columns) {
  Column parent("node.parent"), frame("node.frame");
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    parent.add(i - tree.nodes[i].parent);
    frame.add(tree.nodes[i].frame);
  }
  columns.push_back(std::move(parent));
  columns.push_back(std::move(frame));
}

void add_rows(const HtmlRows& rows, std::vector<Column>& columns) {
  Column bucket("row.bucket"), thread("row.thread"), node("row.node");
  Column weight("row.weight"), count("row.count"), activity("row.activity");
  uint64_t exact_ns = 0, said_us = 0;
  for (const HtmlRow& row : rows.rows) {
    bucket.add_delta(row.bucket);
    thread.add_delta(row.thread);
    node.add_delta(row.node);
    exact_ns += row.weight;
    const uint64_t rounded = (exact_ns + 500) / 1000;
    weight.add(rounded - said_us);
    said_us = rounded;
    count.add(row.count);
    activity.add(static_cast<uint64_t>(row.activity));
  }
  for (Column* c : {&bucket, &thread, &node, &weight, &count, &activity}) columns.push_back(std::move(*c));
}

Json walk_ends(const profile::Profile& profile) {
  std::array<uint64_t, kWalkEnds.size()> counts{};
  for (const profile::Sample& sample : profile.samples)
    counts[static_cast<size_t>(sample.end)] += sample.count;
  Json out = Json::object();
  for (size_t i = 0; i < counts.size(); ++i) out[kWalkEnds[i]] = counts[i];
  return out;
}

bool is_shortened(const profile::Sample& s) { return s.shortened; }
bool is_whole(const profile::Sample& s) { return s.end == wire::WalkEnd::kRooted && !s.shortened; }

bool is_any(const profile::Sample& /*sample*/) { return true; }

template <typename Is>
uint64_t count_if(const profile::Profile& profile, Is is) {
  uint64_t count = 0;
  for (const profile::Sample& sample : profile.samples) count += is(sample) ? sample.count : 0;
  return count;
}

Json drops(const wire::Counters& counters) {
  Json out = Json::object();
  for (size_t i = 0; i < counters.drops.size() && i < kDropCauses.size(); ++i) {
    out[kDropCauses[i]] = counters.drops[i];
  }
  return out;
}

Json threads(const profile::Profile& profile) {
  Json out = Json::array();
  for (const profile::Thread& thread : profile.threads) {
    out.push_back({{"name", thread.name},
                   {"tid", thread.tid},
                   {"kind", kind_name(thread.kind)},
                   {"weight_us", thread.weight / 1000},
                   {"samples", thread.samples}});
  }
  return out;
}

Json messages(const profile::Profile& profile) {
  Json out = Json::array();
  for (const wire::Message& m : profile.messages) {
    const char* severity = m.severity == wire::Severity::kWarning ? "warning" : "info";
    out.push_back({{"time_us", m.time_us}, {"severity", severity}, {"text", m.text}});
  }
  return out;
}

Json facts(const profile::Profile& profile, const HtmlRows& rows) {
  const wire::Session& session = profile.session;
  return {{"version", kHtmlPayloadVersion},
          {"command", session.command_line},
          {"runtime", session.runtime},
          {"os", session.os},
          {"host", session.host},
          {"pid", session.pid},
          {"start_ms", session.wall_start_ns / 1'000'000},
          {"interval_ns", session.interval_ns},
          {"engine", session.engine == wire::Engine::kTimer ? "timer" : "perf"},
          {"duration_us", profile.duration_us},
          {"weight_us", profile.total_weight / 1000},
          {"samples", count_if(profile, is_any)},
          {"attempts", profile.counters.attempts},
          {"walk_end", walk_ends(profile)},
          {"shortened", count_if(profile, is_shortened)},
          {"whole", count_if(profile, is_whole)},
          {"depth", session.depth},
          {"drops", drops(profile.counters)},
          {"complete", profile.complete},
          {"damage", profile.damage},
          {"messages", messages(profile)},
          {"bucket_us", rows.bucket_us},
          {"buckets", rows.buckets},
          {"threads", threads(profile)}};
}

}  // namespace

std::string html_payload(const profile::Profile& profile, const HtmlTree& tree, const HtmlRows& rows) {
  Strings strings;
  std::vector<Column> columns;
  add_frames(tree, strings, columns);
  add_nodes(tree, columns);
  add_rows(rows, columns);
  Json json = facts(profile, rows);
  json["strings"] = strings.list();
  json["columns"] = Json::array();
  for (const Column& column : columns) {
    json["columns"].push_back(
        {{"name", column.name}, {"count", column.count}, {"bytes", column.bytes.size()}});
  }
  // Names come from foreign files and may be no UTF-8.
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(text.size() >> shift));
  out += text;
  for (const Column& column : columns) out += column.bytes;
  return out;
}

}  // namespace walkabout::formats
