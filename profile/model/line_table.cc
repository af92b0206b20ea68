#include "profile/model/line_table.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>

#include "base/statement_weight.h"
#include "profile/model/documents.h"

namespace walkabout::profile {
namespace {

constexpr size_t kNone = SIZE_MAX;
constexpr size_t kMostSteps = 1 << 14;  // of the search for one place; beyond it no line is given
constexpr size_t kEntriesOfAStep = 64;  // that are looked through
constexpr size_t kLongestPath = 4096;   // each place has its file's
constexpr size_t kMostCandidates = 64;  // for one place; with more no line is given
constexpr size_t kMostLoops = 1024;     // of a method
constexpr size_t kMostAwaits = 4096;    // likewise
using base::StatementWeight;
// Code of a step is 32 bytes at most. It does not count where an entry has five times as much for each.
constexpr uint64_t kLongestStep = 32, kCodeOfSteps = 5 * kLongestStep;

// Of the last that does not rise above `value`; kNone: all do.
size_t last_not_above(const std::vector<uint64_t>& rising, uint64_t value) {
  const auto after = std::upper_bound(rising.begin(), rising.end(), value);
  return after == rising.begin() ? kNone : static_cast<size_t>(after - rising.begin()) - 1;
}

// An epilog gives back its frame, restores up to seven registers, and returns. Code behind that has no entry.
constexpr uint64_t kLongestEpilog = 40;

// Another number than the known ones is none of them.
bool has_weight(uint64_t light, StatementWeight weight) {
  return (light & ~wire::kBeginsOnStack) == static_cast<uint64_t>(weight);
}
bool begins_on_stack(uint64_t light) { return (light & wire::kBeginsOnStack) != 0; }
bool may_cost(uint64_t light) {
  return has_weight(light, StatementWeight::kAny) || has_weight(light, StatementWeight::kSplit);
}

bool is_optimized(CodeKind kind) { return kind == CodeKind::kOptimized || kind == CodeKind::kOptimizedCall; }
bool is_call(CodeKind kind) { return kind == CodeKind::kPlainCall || kind == CodeKind::kOptimizedCall; }

bool is_il(uint64_t il) { return il >= wire::kIlFirst; }

void add_once(size_t point, std::vector<size_t>& to) {
  if (std::find(to.begin(), to.end(), point) == to.end()) to.push_back(point);
}

}  // namespace

bool LineTable::Candidates::is_enough() { return ++steps > kMostSteps || size() > kMostCandidates; }

// Columns of a foreign recording may have any length and order.
void LineTable::add(const wire::IlMap& map) {
  if (map.il.size() != map.native.size() || map.il.size() > kMostEntries ||
      !std::is_sorted(map.native.begin(), map.native.end())) {
    ++maps_left_out_;
    return;
  }
  finish(maps_[map.code].emplace_back(Map{map.begin, map.il, map.native, {}, false}));
}

void LineTable::finish(Map& map) {
  for (const uint64_t il : map.il) {
    if (is_il(il)) map.known.push_back(il - wire::kIlFirst);
  }
  std::sort(map.known.begin(), map.known.end());
}

// Each call has a map of its own, in which the other code is of no IL.
void LineTable::add(base::CodeId code, const wire::InlineColumns& inlined) {
  if (inlined.native.size() > kMostEntries) return;
  std::unordered_map<uint64_t, Map>& calls = calls_[code] = {};
  for (size_t i = 0; i < inlined.native.size(); ++i) {
    if (i > 0 && inlined.node[i - 1] != inlined.node[i]) {
      Map& left = calls[inlined.node[i - 1]];
      left.native.push_back(inlined.native[i]);
      left.il.push_back(wire::kIlNone);
    }
    Map& map = calls[inlined.node[i]];
    map.native.push_back(inlined.native[i]);
    map.il.push_back(inlined.il[i]);
  }
  for (auto& [call, map] : calls) {
    map.of_inlined = true;
    finish(map);
  }
}

void LineTable::add(const wire::SourceLines& lines) {
  Assembly& assembly = assemblies_[lines.assembly] = {};
  assembly.documents = lines.documents;
  for (wire::Document& document : assembly.documents) {
    if (document.path.size() > kLongestPath) document.path.clear();
  }
  for (const wire::MethodLines& method : lines.methods) {
    const size_t count = std::min(method.il.size(), kMostEntries + 1);
    ++assembly.left_out;  // until it is there
    if (count > kMostEntries) continue;
    Points points{method.il, method.line, method.document, method.light, method.loops, method.awaits, {}, {}};
    points.light.resize(count);
    for (size_t i = 0; i < count; ++i) {
      if (has_weight(points.light[i], StatementWeight::kSplit)) points.split.push_back(i);
    }
    if (points.loops.size() > 2 * kMostLoops) points.loops.clear();
    if (points.awaits.size() > kMostAwaits) points.awaits.clear();
    if (points.document.size() == 1) points.document.resize(count, points.document[0]);
    if (points.line.size() != count || points.document.size() != count ||
        !std::is_sorted(points.il.begin(), points.il.end()))
      continue;
    for (size_t i = 0; i < count; ++i) {
      const auto line = static_cast<uint32_t>(points.line[i]);
      if (points.line[i] == 0 || points.line[i] > UINT32_MAX) continue;
      auto& [first, last] = points.span.try_emplace(points.document[i], line, line).first->second;
      first = std::min(first, line);
      last = std::max(last, line);
    }
    assembly.methods.insert_or_assign(method.token, std::move(points));
    --assembly.left_out;
  }
}

void LineTable::sort() {
  for (auto& [code, maps] : maps_) {
    std::stable_sort(maps.begin(), maps.end(), [](const Map& a, const Map& b) { return a.begin < b.begin; });
  }
}

uint64_t LineTable::left_out() const {
  uint64_t all = maps_left_out_;
  for (const auto& [id, assembly] : assemblies_) all += assembly.left_out;
  return all;
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
  while (before != kNone && !is_il(map.il[before]) && !found.is_enough())
    before = before == 0 ? kNone : before - 1;
  while (behind < map.il.size() && !is_il(map.il[behind]) && !found.is_enough()) ++behind;
  const uint64_t what = map.il[entry];
  const bool is_between = before != kNone && behind < map.il.size();
  if (what == wire::kIlProlog || (what == wire::kIlNone && is_between)) add(behind);
  if (what == wire::kIlEpilog || (what == wire::kIlNone && is_between)) add(before);
}

// The compiler did not move anything: an entry's code is that of all IL up to the next entry's. A statement
// that begins where the evaluation stack is not empty has no entry of its own.
void LineTable::add_up_to_next(const Map& map, const Points& points, size_t entry, bool with_steps,
                               Candidates& found) {
  const uint64_t own = map.il[entry];
  const auto next = std::upper_bound(map.known.begin(), map.known.end(), own - wire::kIlFirst);
  const uint64_t end = next == map.known.end() ? UINT64_MAX : *next;
  for (size_t i = point_of(points, own) + 1; i < points.size() && points.il[i] < end; ++i) {
    if (found.is_enough()) return;
    const bool is_step = has_weight(points.light[i], StatementWeight::kStep);
    if (is_step ? with_steps : !has_weight(points.light[i], StatementWeight::kLight)) add_once(i, found);
  }
}

// A statement whose value the next one uses may become part of that. The code of one that begins with
// something on the evaluation stack follows that of the one before.
void LineTable::add_joined(const Map& map, const Points& points, size_t entry, bool with_steps,
                           Candidates& found) {
  const uint64_t end = entry + 1 < map.native.size() ? map.native[entry + 1] : map.native[entry];
  std::vector<size_t> steps;
  for (const size_t point : Candidates(found)) {
    for (size_t i = point; i-- > 0 && !has_code(map, points, i);) {
      if (found.is_enough()) return;
      if (may_cost(points.light[i])) add_once(i, found);
      if (has_weight(points.light[i], StatementWeight::kStep)) steps.push_back(i);
    }
    for (size_t i = point + 1; i < points.size() && (map.of_inlined || begins_on_stack(points.light[i]));
         ++i) {
      if (found.is_enough() || has_code(map, points, i)) break;
      if (may_cost(points.light[i])) add_once(i, found);
    }
  }
  if (!with_steps || end - map.native[entry] >= steps.size() * kCodeOfSteps) return;
  for (const size_t step : steps) {
    if (found.is_enough()) return;
    add_once(step, found);
  }
}

bool LineTable::is_behind_epilog(const Map& map, size_t entry, uint64_t into) {
  return map.il[entry] == wire::kIlEpilog && into >= kLongestEpilog;
}

// Whether what follows the entry in the code is not what follows its statement in the IL.
bool LineTable::is_broken_off(const Map& map, const Points& points, size_t entry) {
  if (!is_il(map.il[entry])) return true;
  const size_t point = point_of(points, map.il[entry]);
  if (point == kNone || point + 1 >= points.size()) return true;
  const auto behind = std::lower_bound(map.known.begin(), map.known.end(), points.il[point + 1]);
  size_t next = entry + 1;
  while (next < map.il.size() && !is_il(map.il[next])) ++next;
  if (next == map.il.size() || behind == map.known.end()) return true;
  const size_t follows = point_of(points, map.il[next]);
  return follows != point && follows != point_of(points, *behind + wire::kIlFirst);
}

// The parts of a statement that branches within itself have no entries but the first. Where the compiler put
// them elsewhere they follow code that something else should follow.
void LineTable::add_parts(const Map& map, const Points& points, size_t entry, Candidates& found) {
  if (points.split.empty() || !is_broken_off(map, points, entry)) return;
  for (const size_t point : points.split) {
    const uint64_t begin = points.il[point] + wire::kIlFirst;
    const uint64_t end = point + 1 < points.size() ? points.il[point + 1] + wire::kIlFirst : UINT64_MAX;
    const auto own =
        std::find_if(map.il.rbegin(), map.il.rend(), [=](uint64_t il) { return il >= begin && il < end; });
    found.steps += map.il.size() / kEntriesOfAStep;
    if (found.is_enough()) return;
    if (own != map.il.rend() && is_broken_off(map, points, static_cast<size_t>(map.il.rend() - own) - 1))
      add_once(point, found);
  }
}

// Only light statements lie between the point and the IL at `begin`.
bool LineTable::is_in_front(const Points& points, size_t point, uint64_t begin, Candidates& found) {
  if (points.il[point] >= begin) return false;
  for (size_t i = point + 1; i < points.size() && points.il[i] < begin && !found.is_enough(); ++i) {
    if (!has_weight(points.light[i], StatementWeight::kLight) && points.line[i] != 0) return false;
  }
  return true;
}

// The point has the last of the loop's IL, and nothing before this entry is the loop's.
bool LineTable::is_first_condition(const Map& map, const Points& points, size_t entry, size_t point,
                                   const Loop& loop, Candidates& found) {
  const bool is_last =
      loop.has(points.il[point]) && (point + 1 == points.size() || points.il[point + 1] >= loop.end);
  for (size_t i = 0; is_last && i < entry && !found.is_enough(); ++i) {
    if (is_il(map.il[i]) && loop.has(map.il[i] - wire::kIlFirst)) return false;
  }
  return is_last;
}

// What a loop does the same each time the compiler may have moved in front of it: behind the statements
// before it, or where the loop begins with a copy of its condition, behind that.
void LineTable::add_loops(const Map& map, const Points& points, size_t entry, Candidates& found) {
  for (const size_t point : std::vector<size_t>(found)) {
    for (size_t at = 0; at + 1 < points.loops.size() && !found.is_enough(); at += 2) {
      const Loop loop{points.loops[at], points.loops[at + 1]};
      if (!is_in_front(points, point, loop.begin, found) &&
          !is_first_condition(map, points, entry, point, loop, found))
        continue;
      const auto first = std::lower_bound(points.il.begin(), points.il.end(), loop.begin);
      for (auto i = static_cast<size_t>(first - points.il.begin());
           i < points.size() && points.il[i] < loop.end && !found.is_enough(); ++i) {
        if (may_cost(points.light[i])) add_once(i, found);
      }
    }
  }
}

// Of code that may be of others than the entry's own statement: whether it is certainly of one of them. A
// step calls nothing. What was moved in front of a loop stands behind a light statement before it, and may be
// much longer; but a part of a statement may seldom be reached, and the light one beside it always.
bool LineTable::is_of_others(const Map& map, const Points& points, size_t entry, uint64_t into, CodeKind kind,
                             Moved moved) {
  const uint64_t own = points.light[point_of(points, map.il[entry])];
  if (is_call(kind)) return has_weight(own, StatementWeight::kStep);
  const uint64_t end = entry + 1 < map.native.size() ? map.native[entry + 1] : map.native[entry];
  return has_weight(own, StatementWeight::kLight) && moved.loops && !moved.parts && into >= kLongestStep &&
         end - map.native[entry] >= kCodeOfSteps;
}

// into: bytes from the entry's first.
LineTable::Candidates LineTable::candidates(const Map& map, const Points& points, size_t entry, uint64_t into,
                                            CodeKind kind) {
  Candidates found;
  if (is_optimized(kind) && is_behind_epilog(map, entry, into)) {
    add_parts(map, points, entry, found);
    return found;
  }
  const size_t own = is_il(map.il[entry]) ? point_of(points, map.il[entry]) : kNone;
  if (own != kNone)
    found.push_back(own);
  else
    add_around(map, points, entry, found);
  Moved moved;
  if (is_optimized(kind)) {
    add_joined(map, points, entry, !is_call(kind), found);
    const size_t joined = found.size();
    add_parts(map, points, entry, found);
    const size_t parts = found.size();
    add_loops(map, points, entry, found);
    moved = {parts > joined, found.size() > parts};
  } else if (own != kNone) {
    add_up_to_next(map, points, entry, !is_call(kind), found);
  }
  if (own != kNone && found.size() > 1 && is_of_others(map, points, entry, into, kind, moved))
    found.erase(found.begin());
  return found;
}

SourcePlace LineTable::place_of(const Assembly& assembly, const Points& points,
                                const std::vector<size_t>& candidates, bool sure) {
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
  place.hash = assembly.documents[document - 1].hash;
  if (place.file.empty()) return {};
  place.sure = sure && place.lines.size() == 1;
  const auto span = points.span.find(document);
  if (span != points.span.end()) std::tie(place.first, place.last) = span->second;
  return place;
}

const LineTable::Assembly* LineTable::assembly_of(const wire::Method& method) const {
  const auto found = assemblies_.find(method.assembly);
  return found == assemblies_.end() ? nullptr : &found->second;
}

const LineTable::Points* LineTable::points_of(const wire::Method& method) const {
  const Assembly* assembly = assembly_of(method);
  if (assembly == nullptr) return nullptr;
  const auto found = assembly->methods.find(method.token);
  return found == assembly->methods.end() ? nullptr : &found->second;
}

std::vector<SourceDocument> LineTable::documents(const std::set<std::string>& paths) const {
  std::vector<SourceDocument> found;
  for (const auto& [id, assembly] : assemblies_) {
    add_documents(assembly.documents, paths, found);
  }
  return found;
}

SourcePlace LineTable::place(base::CodeId code, uint32_t at, const wire::Method& method,
                             CodeKind kind) const {
  const Map* map = map_of(code, at);
  return map == nullptr ? SourcePlace() : place(*map, at, method, kind);
}

SourcePlace LineTable::place(const Map& map, uint32_t at, const wire::Method& method, CodeKind kind) const {
  const Points* points = points_of(method);
  if (points == nullptr) return {};
  const size_t entry = last_not_above(map.native, at - map.begin);
  if (entry == kNone) return {};
  const uint64_t into = at - map.begin - map.native[entry];
  const Candidates found = candidates(map, *points, entry, into, kind);
  if (found.size() > kMostCandidates || found.steps > kMostSteps) return {};
  const bool sure = is_il(map.il[entry]) || is_behind_epilog(map, entry, into);
  return place_of(*assembly_of(method), *points, found, sure);
}

SourcePlace LineTable::place_in_call(base::CodeId code, uint32_t call, uint32_t at,
                                     const wire::Method& method, CodeKind kind) const {
  const auto calls = calls_.find(code);
  if (calls == calls_.end()) return {};
  const auto map = calls->second.find(call);
  return map == calls->second.end() ? SourcePlace() : place(map->second, at, method, kind);
}

// What suspends the method is code that the compiler made up, behind the await's own.
SourcePlace LineTable::place_of_await(const wire::Method& method, uint32_t state) const {
  const Points* points = points_of(method);
  if (points == nullptr || state >= points->awaits.size() || points->awaits[state] == 0) return {};
  size_t point = last_not_above(points->il, points->awaits[state] - 1);
  while (point != kNone && points->line[point] == 0) point = point == 0 ? kNone : point - 1;
  return point == kNone ? SourcePlace() : place_of(*assembly_of(method), *points, {point}, true);
}

SourcePlace LineTable::place_of_il(const wire::Method& method, uint64_t il) const {
  const Points* points = points_of(method);
  const size_t point = points == nullptr ? kNone : last_not_above(points->il, il);
  return point == kNone ? SourcePlace() : place_of(*assembly_of(method), *points, {point}, true);
}

}  // namespace walkabout::profile
