#include "formats/html_payload.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "formats/html_columns.h"
#include "formats/html_moments.h"
#include "formats/html_trace.h"
#include "profile/names/label_text.h"
#include "profile/names/tier_text.h"
#include "profile/query/blocked.h"
#include "profile/query/headline.h"
#include "profile/query/rows.h"
#include "profile/query/view.h"
#include "wire/counters.h"

namespace walkabout::formats {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::array kWalkEnds = {"rooted",      "no_unwind_info", "bad_memory", "bad_return",
                                  "no_progress", "too_deep",       "gap",        "not_walked"};
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
  const OrderedJson& list() const { return list_; }

 private:
  std::unordered_map<std::string, uint32_t> known_;
  OrderedJson list_ = OrderedJson::array();
};

constexpr uint32_t kRanks = 8;  // more than profile::run_name has

// Of UTF-8; what is none counts for something.
uint64_t utf16_units(std::string_view text) {
  uint64_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if ((byte & 0xc0) != 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

void add_frames(const HtmlTree& tree, Strings& strings, std::vector<Column>& columns) {
  Column name("frame.name"), raw("frame.raw"), module("frame.module"), kind("frame.kind");
  Column own("frame.own"), origin("frame.origin"), run("frame.run"), rank("frame.rank");
  Column inlined("frame.inlined"), tier("frame.tier");
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
    own.add(utf16_units(frame.name.substr(0, frame.own)));
    origin.add(static_cast<uint64_t>(frame.origin));
    run.add(strings.intern(std::string(frame.run.text)));
    rank.add(uint64_t{kRanks} * frame.run.rank + frame.run_at_root.rank);
    inlined.add(uint64_t{frame.inlined});
    tier.add(strings.intern(profile::tiers_text(frame.tiers)));
  }
  for (Column* column : {&name, &raw, &module, &kind, &own, &origin, &run, &rank, &inlined, &tier})
    columns.push_back(std::move(*column));
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

// Source places, and the files that they are in; nothing where none is known.
void add_places(const HtmlTree& tree, std::vector<Column>& columns) {
  if (tree.places.empty()) return;
  Column node("node.place"), document("place.document"), sure("place.sure"), first("place.first"),
      last("place.last"), lines("place.lines"), line("place.line");
  for (const uint32_t place : tree.place_of) node.add(place);
  std::map<std::string_view, uint64_t> documents;
  for (const profile::SourcePlace* place : tree.places) {
    document.add(documents.emplace(place->file, documents.size()).first->second);
    sure.add(place->sure ? 1 : 0);
    first.add(place->first);
    last.add(place->last);
    lines.add(place->lines.size());
    for (const uint32_t number : place->lines) line.add(number);
  }
  for (Column* column : {&node, &document, &sure, &first, &last, &lines, &line})
    columns.push_back(std::move(*column));
}

// In the order of place.document.
OrderedJson documents_json(const profile::Profile& profile, const HtmlTree& tree) {
  OrderedJson out = OrderedJson::array();
  std::set<std::string_view> known;
  for (const profile::SourcePlace* place : tree.places) {
    if (!known.insert(place->file).second) continue;
    const auto of = std::find_if(profile.documents.begin(), profile.documents.end(),
                                 [place](const auto& document) { return document.path == place->file; });
    const profile::SourceDocument document =
        of == profile.documents.end() ? profile::SourceDocument{place->file} : *of;
    OrderedJson text = OrderedJson::array();
    for (const profile::SourcePiece& piece : document.text)
      text.push_back({{"first", piece.first}, {"text", piece.text}});
    out.push_back({{"path", document.path},
                   {"url", document.url},
                   {"note", document.note},
                   {"lines", document.lines},
                   {"text", std::move(text)}});
  }
  return out;
}

// Whether CPU time is all there is.
bool is_cpu_alone(const profile::Profile& profile) {
  return profile.sources.empty() ||
         (profile.sources.size() == 1 && profile.sources[0].id == wire::kCpuSource && !profile.view) ||
         (profile.view && profile.view->value == 0 && profile::is_cpu(profile, *profile.view));
}

// Of what row.weight sums of a source.
const wire::SourceValue& value_of_rows(const profile::Profile& profile, uint8_t source) {
  const bool is_viewed = profile.view && profile.view->source == source;
  return profile::source_of(profile, {source, 0}).values[is_viewed ? profile.view->value : 0];
}

// Weights as the page has them: whole microseconds for nanoseconds, what is left over carried on to the next.
class Weights {
 public:
  explicit Weights(bool is_time) : is_time_(is_time) {}
  uint64_t next(uint64_t weight) {
    if (!is_time_) return weight;
    exact_ns_ += weight;
    const uint64_t rounded = (exact_ns_ + 500) / 1000;
    return rounded - std::exchange(emitted_us_, rounded);
  }

 private:
  bool is_time_;
  uint64_t exact_ns_ = 0;
  uint64_t emitted_us_ = 0;
};

void add_rows(const profile::Profile& profile, const HtmlRows& rows, std::vector<Column>& columns) {
  Column bucket("row.bucket"), thread("row.thread"), node("row.node");
  Column weight("row.weight"), count("row.count"), activity("row.activity");
  Column source("row.source"), labels("row.labels");
  std::vector<Weights> weights;
  for (size_t i = 0; i < std::max<size_t>(profile.sources.size(), 1); ++i)
    weights.emplace_back(value_of_rows(profile, static_cast<uint8_t>(i)).unit == "nanoseconds");
  for (const profile::Row& row : rows.rows) {
    bucket.add_delta(row.bucket);
    thread.add_delta(row.thread);
    node.add_delta(row.node);
    weight.add(weights[row.source].next(row.sum.weight));
    count.add(row.sum.samples);
    activity.add(static_cast<uint64_t>(row.activity));
    source.add(row.source);
    labels.add(row.labels);
  }
  for (Column* c : {&bucket, &thread, &node, &weight, &count, &activity}) columns.push_back(std::move(*c));
  if (is_cpu_alone(profile)) return;
  columns.push_back(std::move(source));
  columns.push_back(std::move(labels));
}

// Where blocked threads wait, by the node of their samples.
void add_waits(const profile::Profile& profile, const HtmlTree& tree, std::vector<Column>& columns) {
  std::vector<profile::WaitNodes> waits(tree.nodes.size());
  std::vector<bool> is_known(tree.nodes.size());
  std::vector<std::optional<size_t>> state_labels;
  for (const wire::Source& source : profile.sources)
    state_labels.push_back(profile::find_label(source, wire::LabelType::kThreadState));
  for (const profile::Sample& sample : profile.samples) {
    const uint32_t node = tree.node_of[sample.node];
    const uint64_t state = profile::label_of(profile, sample.labels, state_labels[sample.source]);
    if (state != static_cast<uint64_t>(wire::ThreadState::kBlocked) || is_known[node]) continue;
    is_known[node] = true;
    const profile::WaitNodes wait = profile::wait_of(profile, sample.node);
    waits[node] = {tree.node_of[wait.method], tree.node_of[wait.caller]};
  }
  Column method("node.wait_method"), caller("node.wait_caller");
  for (size_t node = 0; node < waits.size(); ++node) {
    method.add(waits[node].method == 0 ? 0 : node - waits[node].method + 1);
    caller.add(waits[node].caller == 0 ? 0 : node - waits[node].caller + 1);
  }
  columns.push_back(std::move(method));
  columns.push_back(std::move(caller));
}

// How the walks of one source ended.
struct Walks {
  std::array<uint64_t, kWalkEnds.size()> ends{};
  uint64_t samples = 0;
  uint64_t shortened = 0;
  uint64_t whole = 0;
};

Walks walks_of(const profile::Profile& profile, profile::View view) {
  Walks walks;
  for (const profile::Sample& sample : profile.samples) {
    if (!profile::is_in(profile, view, sample)) continue;
    walks.ends[static_cast<size_t>(sample.end)] += sample.count;
    walks.samples += sample.count;
    if (sample.shortened) walks.shortened += sample.count;
    if (sample.end == wire::WalkEnd::kRooted && !sample.shortened) walks.whole += sample.count;
  }
  return walks;
}

OrderedJson walk_ends(const Walks& walks) {
  OrderedJson out = OrderedJson::object();
  for (size_t i = 0; i < walks.ends.size(); ++i) out[kWalkEnds[i]] = walks.ends[i];
  return out;
}

OrderedJson drops_json(const std::vector<uint64_t>& drops) {
  OrderedJson out = OrderedJson::object();
  for (size_t i = 0; i < drops.size() && i < kDropCauses.size(); ++i) out[kDropCauses[i]] = drops[i];
  return out;
}

const char* label_type(uint32_t type) {
  switch (static_cast<wire::LabelType>(type)) {
    case wire::LabelType::kThreadState:
      return "state";
    case wire::LabelType::kSystemCall:
      return "system_call";
    case wire::LabelType::kAddress:
      return "address";
    case wire::LabelType::kText:
    case wire::LabelType::kMessage:
    case wire::LabelType::kType:
    case wire::LabelType::kThread:
    case wire::LabelType::kMethod:  // none is shown
      return "text";
    case wire::LabelType::kObject:
    case wire::LabelType::kNumber:
      break;
  }
  return "number";
}

const char* clock_name(uint32_t clock) {
  if (clock == static_cast<uint32_t>(wire::Clock::kThreadCpu)) return "thread_cpu";
  return clock == static_cast<uint32_t>(wire::Clock::kWall) ? "wall" : "event";
}

OrderedJson source_json(const profile::Profile& profile, uint8_t index, const HtmlRows& rows) {
  const wire::Source& source = profile.sources[index];
  const wire::SourceValue& value = value_of_rows(profile, index);
  const bool is_max = value.adding == wire::Adding::kMax;
  const Walks walks = walks_of(profile, {index, 0});
  const wire::SourceCounters counters = wire::counters_of(profile.counters, source.id);
  profile::Amount all;
  for (const profile::Row& row : rows.rows) {
    if (row.source == index) profile::add(row.sum, value.adding, all);
  }
  OrderedJson labels = OrderedJson::array();
  for (const wire::SourceLabel& label : source.labels)
    labels.push_back({{"name", label.name}, {"type", label_type(label.type)}});
  return {{"name", source.name},
          {"value", value.name},
          {"unit", value.unit},
          {"adding", is_max ? "max" : "sum"},
          {"clock", clock_name(source.clock)},
          {"period", source.period},
          {"weight", value.unit == "nanoseconds" ? all.weight / 1000 : all.weight},
          {"samples", walks.samples},
          {"attempts", counters.attempts},
          {"walk_end", walk_ends(walks)},
          {"shortened", walks.shortened},
          {"whole", walks.whole},
          {"drops", drops_json(counters.drops)},
          {"counts", source.id == profile::kTracedSource ? "call" : "sample"},
          {"labels", labels}};
}

// Which labels a set has is known by the source of a row that has it.
OrderedJson label_sets(const profile::Profile& profile, const HtmlRows& rows) {
  OrderedJson out = OrderedJson::array();
  for (size_t i = 0; i < profile.label_sets.size(); ++i) out.push_back(OrderedJson::array());
  for (const profile::Row& row : rows.rows) {
    const std::vector<uint64_t>& set = profile.label_sets[row.labels];
    const std::vector<wire::SourceLabel>& labels = profile.sources[row.source].labels;
    if (!out[row.labels].empty()) continue;
    for (size_t i = 0; i < std::min(set.size(), labels.size()); ++i)
      out[row.labels].push_back(profile::label_text(profile, labels[i], set[i]));
  }
  return out;
}

OrderedJson threads(const profile::Profile& profile) {
  OrderedJson out = OrderedJson::array();
  for (const profile::Thread& thread : profile.threads) {
    out.push_back({{"name", thread.name},
                   {"tid", thread.tid},
                   {"kind", kind_name(thread.kind)},
                   {"weight_us", thread.weight / 1000},
                   {"samples", thread.samples}});
  }
  return out;
}

OrderedJson messages(const profile::Profile& profile) {
  OrderedJson out = OrderedJson::array();
  for (const wire::Message& m : profile.messages) {
    const char* severity = m.severity == wire::Severity::kWarning ? "warning" : "info";
    out.push_back({{"time_us", m.time_us}, {"severity", severity}, {"text", m.text}});
  }
  return out;
}

OrderedJson headline_json(const profile::Profile& profile, profile::View view) {
  OrderedJson out = OrderedJson::array();
  for (const profile::HeadlinePart& part :
       profile::headline(profile, view, profile::activity_rows(profile, view)))
    out.push_back({{"what", part.what}, {"share", part.share}});
  return out;
}

OrderedJson facts(const profile::Profile& profile, const HtmlRows& rows) {
  const wire::Session& session = profile.session;
  const profile::View view = profile::view_of(profile);
  const wire::SourceCounters counters =
      wire::counters_of(profile.counters, profile::source_of(profile, view).id);
  const Walks walks = walks_of(profile, view);
  return {{"version", is_cpu_alone(profile) ? kHtmlPayloadVersion : kHtmlPayloadVersionOfEvents},
          {"command", session.command_line},
          {"runtime", session.runtime},
          {"os", session.os},
          {"host", session.host},
          {"pid", session.pid},
          {"start_ms", session.wall_start_ns / 1'000'000},
          {"interval_ns", session.interval_ns},
          {"engine", session.engine == wire::Engine::kTimer ? "timer" : "perf"},
          {"duration_us", profile.duration_us},
          {"headline", headline_json(profile, view)},
          {"weight_us", profile.total_weight / 1000},
          {"samples", walks.samples},
          {"attempts", counters.attempts},
          {"walk_end", walk_ends(walks)},
          {"shortened", walks.shortened},
          {"whole", walks.whole},
          {"depth", session.depth},
          {"drops", drops_json(counters.drops)},
          {"folding", static_cast<int>(profile.page_folding)},
          {"complete", profile.complete},
          {"damage", profile.damage},
          {"messages", messages(profile)},
          {"bucket_us", rows.bucket_us},
          {"buckets", rows.buckets},
          {"threads", threads(profile)}};
}

}  // namespace

namespace {

OrderedJson lanes(const HtmlMoments& moments) {
  OrderedJson out = OrderedJson::array();
  for (const HtmlLane& lane : moments.lanes)
    out.push_back(
        {{"source", lane.source}, {"shown", lane.shown}, {"left_out", lane.left_out}, {"sums", lane.sums}});
  return out;
}

void add_moments(const HtmlMoments& moments, const HtmlTree& tree, std::vector<Column>& columns) {
  Column time("moment.time"), took("moment.took"), lane("moment.lane");
  Column thread("moment.thread"), node("moment.node"), labels("moment.labels");
  uint64_t before_us = 0;
  for (const HtmlMoment& moment : moments.all) {
    time.add(moment.time_us - std::exchange(before_us, moment.time_us));
    took.add(moment.took_us);
    lane.add(moment.lane);
    thread.add(moment.thread);
    node.add(tree.node_of[moment.node]);
    labels.add(moment.labels);
  }
  for (Column* c : {&time, &took, &lane, &thread, &node, &labels}) columns.push_back(std::move(*c));
}

}  // namespace

std::string html_payload(const profile::Profile& profile, const HtmlTree& tree, const HtmlRows& rows) {
  Strings strings;
  std::vector<Column> columns;
  add_frames(tree, strings, columns);
  add_nodes(tree, columns);
  add_places(tree, columns);
  add_rows(profile, rows, columns);
  OrderedJson json = facts(profile, rows);
  if (!is_cpu_alone(profile)) {
    json["sources"] = OrderedJson::array();
    for (size_t i = 0; i < profile.sources.size(); ++i)
      json["sources"].push_back(source_json(profile, static_cast<uint8_t>(i), rows));
    json["label_sets"] = label_sets(profile, rows);
    add_waits(profile, tree, columns);
    const HtmlMoments moments = html_moments(profile);
    json["lanes"] = lanes(moments);
    add_moments(moments, tree, columns);
  }
  if (!profile.traces.empty()) json["trace"] = html_trace(profile, tree);
  if (!tree.places.empty()) json["documents"] = documents_json(profile, tree);
  json["strings"] = strings.list();
  json["columns"] = OrderedJson::array();
  for (const Column& column : columns) {
    json["columns"].push_back(
        {{"name", column.name}, {"count", column.count}, {"bytes", column.bytes.size()}});
  }
  // Names come from foreign files and may be no UTF-8.
  const std::string text = json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  std::string out;
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(text.size() >> shift));
  out += text;
  for (const Column& column : columns) out += column.bytes;
  return out;
}

}  // namespace walkabout::formats
