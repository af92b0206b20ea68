#include "profile/model/line_table.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace walkabout::profile {
namespace {

constexpr size_t kNone = SIZE_MAX;
constexpr size_t kMostEntries = 1 << 16;  // of a map, as the agent makes them, and of a method's points
constexpr size_t kMostCandidates = 64;    // statements that nobody tells apart: of more nothing is said
constexpr uint64_t kAny = 0, kLight = 1;  // of wire::MethodLines::light; else a step

// Of the last that does not rise above `value`; kNone: all do.
size_t last_not_above(const std::vector<uint64_t>& rising, uint64_t value) {
  const auto after = std::upper_bound(rising.begin(), rising.end(), value);
  return after == rising.begin() ? kNone : static_cast<size_t>(after - rising.begin()) - 1;
}

bool is_il(uint64_t il) { return il >= wire::kIlFirst; }

void add_once(size_t point, std::vector<size_t>& to) {
  if (std::find(to.begin(), to.end(), point) == to.end()) to.push_back(point);
}

}  // namespace

// Columns of a foreign recording may have any length and order.
void LineTable::add(const wire::IlMap& map) {
  if (map.il.size() != map.native.size() || map.il.size() > kMostEntries ||
      !std::is_sorted(map.native.begin(), map.native.end()))
    return;
  Map& known = maps_[map.code].emplace_back(Map{map.begin, map.il, map.native, {}});
  for (const uint64_t il : map.il) {
    if (is_il(il)) known.known.push_back(il - wire::kIlFirst);
  }
  std::sort(known.known.begin(), known.known.end());
}

void LineTable::add(const wire::SourceLines& lines) {
  Assembly& assembly = assemblies_[lines.assembly] = {};
  assembly.documents = lines.documents;
  for (const wire::MethodLines& method : lines.methods) {
    const size_t count = std::min(method.il.size(), kMostEntries + 1);
    if (count > kMostEntries) continue;
    Points points{method.il, method.line, method.document, method.light};
    points.light.resize(count);
    if (points.document.size() == 1) points.document.resize(count, points.document[0]);
    if (points.line.size() != count || points.document.size() != count ||
        !std::is_sorted(points.il.begin(), points.il.end()))
      continue;
    assembly.methods.insert_or_assign(method.token, std::move(points));
  }
}

void LineTable::sort() {
  for (auto& [code, maps] : maps_) {
    std::stable_sort(maps.begin(), maps.end(), [](const Map& a, const Map& b) { return a.begin < b.begin; });
  }
}

const LineTable::Map* LineTable::map_of(base::CodeId code, uint32_t at) const {
  const auto found = maps_.find(code);
  if (found == maps_.end()) return nullptr;
  const std::vector<Map>& maps = found->second;
  const auto after = std::upper_bound(maps.begin(), maps.end(), at,
                                      [](uint32_t a, const Map& map) { return a < map.begin; });
  return after == maps.begin() ? nullptr : &*std::prev(after);
}

size_t LineTable::point_of(const Points& points, uint64_t il) {
  return last_not_above(points.il, il - wire::kIlFirst);
}

// Whether any code is said to be of the statement, or it has no IL at all.
bool LineTable::has_code(const Map& map, const Points& points, size_t point) {
  const uint64_t begin = points.il[point];
  const uint64_t end = point + 1 < points.size() ? points.il[point + 1] : UINT64_MAX;
  const auto first = std::lower_bound(map.known.begin(), map.known.end(), begin);
  return begin == end || (first != map.known.end() && *first < end);
}

// Of code that is no IL's: what is around it.
void LineTable::add_around(const Map& map, const Points& points, size_t entry, Candidates& found) {
  const auto add = [&](size_t other) {
    const size_t point = other < map.il.size() ? point_of(points, map.il[other]) : kNone;
    if (point != kNone) add_once(point, found);
  };
  size_t before = entry, behind = entry;
  while (before != kNone && !is_il(map.il[before])) before = before == 0 ? kNone : before - 1;
  while (behind < map.il.size() && !is_il(map.il[behind])) ++behind;
  const uint64_t what = map.il[entry];
  const bool is_between = before != kNone && behind < map.il.size();
  if (what == wire::kIlProlog || (what == wire::kIlNone && is_between)) add(behind);
  if (what == wire::kIlEpilog || (what == wire::kIlNone && is_between)) add(before);
}

// The compiler did not move anything: an entry's code is that of all IL up to the next entry's. A statement
// that begins where the evaluation stack is not empty has no entry of its own.
void LineTable::add_up_to_next(const Map& map, const Points& points, size_t entry, Candidates& found) {
  const uint64_t own = map.il[entry];
  const auto next = std::upper_bound(map.known.begin(), map.known.end(), own - wire::kIlFirst);
  const uint64_t end = next == map.known.end() ? UINT64_MAX : *next;
  for (size_t i = point_of(points, own) + 1; i < points.size() && points.il[i] < end; ++i) {
    if (found.size() > kMostCandidates) return;
    if (points.light[i] != kLight) add_once(i, found);
  }
}

// Inlined and joined, a statement's code may be before that of its neighbours or behind it, in the order of
// IL or of code. A step becomes part of what follows, or nothing.
void LineTable::add_missing(const Map& map, const Points& points, size_t entry, Candidates& found) {
  const auto add_behind = [&](size_t point) {
    for (size_t i = point + 1; i < points.size() && !has_code(map, points, i); ++i) {
      if (found.size() > kMostCandidates) return;
      if (points.light[i] == kAny) add_once(i, found);
    }
  };
  const auto add_before = [&](size_t point, bool with_steps) {
    for (size_t i = point; i-- > 0 && !has_code(map, points, i);) {
      if (found.size() > kMostCandidates) return;
      if (points.light[i] == kAny || (with_steps && points.light[i] != kLight)) add_once(i, found);
    }
  };
  for (const size_t point : Candidates(found)) {
    add_behind(point);
    add_before(point, true);
  }
  size_t next = entry + 1;
  while (next < map.il.size() && !is_il(map.il[next])) ++next;
  const size_t point = next < map.il.size() ? point_of(points, map.il[next]) : kNone;
  if (point != kNone) add_before(point, false);
}

LineTable::Candidates LineTable::candidates(const Map& map, const Points& points, size_t entry,
                                            bool optimized) {
  Candidates found;
  const size_t own = is_il(map.il[entry]) ? point_of(points, map.il[entry]) : kNone;
  if (own != kNone)
    found.push_back(own);
  else
    add_around(map, points, entry, found);
  if (optimized)
    add_missing(map, points, entry, found);
  else if (own != kNone)
    add_up_to_next(map, points, entry, found);
  return found;
}

SourcePlace LineTable::place_of(const Assembly& assembly, const Points& points, const Candidates& candidates,
                                bool sure) {
  SourcePlace place;
  uint64_t document = 0;
  for (const size_t point : candidates) {
    // Code that the C# compiler made up has no line; of one document are all that are shown.
    const bool shown = points.line[point] != 0 && points.line[point] <= UINT32_MAX &&
                       points.document[point] != 0 && (document == 0 || points.document[point] == document);
    if (!shown) {
      sure = false;
      continue;
    }
    document = points.document[point];
    place.lines.push_back(static_cast<uint32_t>(points.line[point]));
  }
  std::sort(place.lines.begin(), place.lines.end());
  place.lines.erase(std::unique(place.lines.begin(), place.lines.end()), place.lines.end());
  if (document == 0 || document > assembly.documents.size()) return {};
  place.file = assembly.documents[document - 1].path;
  place.sure = sure && place.lines.size() == 1;
  for (size_t i = 0; i < points.size(); ++i) {
    if (points.document[i] != document || points.line[i] == 0 || points.line[i] > UINT32_MAX) continue;
    const auto line = static_cast<uint32_t>(points.line[i]);
    place.first = place.first == 0 ? line : std::min(place.first, line);
    place.last = std::max(place.last, line);
  }
  return place;
}

std::vector<SourceDocument> LineTable::documents(const std::set<std::string>& paths) const {
  std::vector<SourceDocument> found;
  for (const auto& [id, assembly] : assemblies_) {
    for (const wire::Document& document : assembly.documents) {
      if (paths.contains(document.path))
        found.push_back({document.path, document.hash_kind, document.hash, document.url});
    }
  }
  return found;
}

SourcePlace LineTable::place(base::CodeId code, uint32_t at, const wire::Method& method,
                             bool optimized) const {
  const auto assembly = assemblies_.find(method.assembly);
  if (assembly == assemblies_.end()) return {};
  const auto points = assembly->second.methods.find(method.token);
  const Map* map = map_of(code, at);
  if (points == assembly->second.methods.end() || map == nullptr) return {};
  const size_t entry = last_not_above(map->native, at - map->begin);
  if (entry == kNone) return {};
  const Candidates found = candidates(*map, points->second, entry, optimized);
  if (found.size() > kMostCandidates) return {};
  return place_of(assembly->second, points->second, found, is_il(map->il[entry]));
}

}  // namespace walkabout::profile
