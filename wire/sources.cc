#include "wire/sources.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "base/duration.h"

namespace walkabout::wire {
// Cold: what runs once is to be small, for the agent has it too.
namespace {

[[gnu::cold]] std::string period(uint64_t ns) {
  if (ns % 1'000'000'000 == 0) return std::to_string(ns / 1'000'000'000) + "s";
  if (ns % 1'000'000 == 0) return std::to_string(ns / 1'000'000) + "ms";
  return std::to_string(ns / 1'000) + "us";
}

[[gnu::cold]] base::Status refuse(const std::string& why, std::span<const SourceRow> table) {
  return base::Status::error(why + "; there are: " + sources_help(table));
}

uint32_t usual_parts(const SourceRow& row) {
  uint32_t parts = 0;
  for (size_t i = 0; i < row.parts.size(); ++i) parts |= uint32_t{row.parts[i].usual} << i;
  return parts;
}

// "jit+gc". Nothing where one is none of the row's, or named twice.
[[gnu::cold]] std::optional<uint32_t> parse_parts(std::string_view text, const SourceRow& row) {
  uint32_t parts = 0;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('+', at), text.size());
    const auto part = std::find_if(row.parts.begin(), row.parts.end(),
                                   [&](const SourcePart& p) { return p.name == text.substr(at, end - at); });
    const uint32_t bit = part == row.parts.end() ? 0 : uint32_t{1} << (part - row.parts.begin());
    if (bit == 0 || (parts & bit) != 0) return {};
    parts |= bit;
    at = end + 1;
  }
  return parts;
}

// "callbacks: a, b; on request alone: c (what it costs)".
[[gnu::cold]] std::string parts_help(const SourceRow& row) {
  std::string usual, others;
  for (const SourcePart& part : row.parts) {
    std::string& list = part.usual ? usual : others;
    if (!list.empty()) list += ", ";
    list += part.name;
    if (!part.costs.empty()) list += " (" + std::string(part.costs) + ")";
  }
  return "; not of all; usual parts: " + usual + "; others: " + others;
}

[[gnu::cold]] base::Result<SourceChoice> parse_one(std::string_view text, std::span<const SourceRow> table) {
  const size_t equals = text.find('=');
  const std::string name(text.substr(0, equals));
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const SourceRow& r) { return r.name == name; });
  if (name.empty()) return refuse("an event without a name", table);
  if (row == table.end()) return refuse("no event is called '" + name + "'", table);
  SourceChoice choice{row->id, row->usual_ns, usual_parts(*row)};
  if (equals == std::string_view::npos) return choice;
  if (!row->parts.empty()) {
    const std::optional<uint32_t> parts = parse_parts(text.substr(equals + 1), *row);
    if (!parts)
      return refuse(std::string(text) + " is not a list of its parts, each once, with + between", table);
    choice.parts = *parts;
    return choice;
  }
  if (row->most_ns == 0)
    return refuse(name + " takes no period" + (row->id == base::SourceId(1) ? " (--interval sets its)" : ""),
                  table);
  const std::string wanted(text.substr(equals + 1));
  const std::optional<uint64_t> ns = base::parse_duration(wanted);
  if (!ns || *ns < row->least_ns || *ns > row->most_ns)
    return refuse(name + "=" + wanted + " is not a time like " + period(row->usual_ns) + ", from " +
                      period(row->least_ns) + " to " + period(row->most_ns),
                  table);
  choice.period_ns = *ns;
  return choice;
}

void insert(std::vector<SourceChoice>& events, const SourceChoice& one) {
  auto place = events.end();
  while (place != events.begin() && std::prev(place)->id > one.id) --place;
  events.insert(place, one);
}

bool is_default(const SourceRow& row) {
  return std::find(std::begin(kDefaultEvents), std::end(kDefaultEvents), row.name) !=
         std::end(kDefaultEvents);
}

}  // namespace

[[gnu::cold]] base::Result<std::vector<SourceChoice>> parse_events(std::string_view list,
                                                                   std::span<const SourceRow> table) {
  std::vector<SourceChoice> events;
  bool all = false, usual = false;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    const std::string_view item = list.substr(at, end - at);
    at = end + 1;
    all = all || item == "all";
    usual = usual || item == "default";
    if (item == "all" || item == "default") continue;
    base::Result<SourceChoice> one = parse_one(item, table);
    if (!one.ok()) return one.status();
    if (is_on(events, one->id)) return refuse(std::string(item) + ": it is named twice", table);
    insert(events, *one);
  }
  for (const SourceRow& row : table) {
    const bool wanted = (all && row.is_in_all()) || (usual && is_default(row));
    if (wanted && !is_on(events, row.id)) insert(events, {row.id, row.usual_ns});
  }
  return events;
}

[[gnu::cold]] std::string sources_help(std::span<const SourceRow> table) {
  std::string all;
  for (const SourceRow& row : table) {
    if (!all.empty()) all += ", ";
    all += row.name;
    if (row.most_ns != 0) all += "[=PERIOD]";
    if (!row.parts.empty()) all += "[=PART+…]";
    all += " (" + std::string(row.what);
    if (!row.parts.empty()) all += parts_help(row);
    if (row.most_ns != 0)
      all += ", " + period(row.least_ns) + " to " + period(row.most_ns) + ", " + period(row.usual_ns) +
             " if not named";
    all += ")";
  }
  return all;
}

bool is_on(const std::vector<SourceChoice>& events, base::SourceId id) {
  return std::any_of(events.begin(), events.end(), [id](const SourceChoice& e) { return e.id == id; });
}

}  // namespace walkabout::wire
