#include "symbols/elf/gc_phases.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/byte_pattern.h"
#include "symbols/elf/event_functions.h"

namespace walkabout::symbols {
namespace {

// Places in the collector's table of events.
enum SinkPlace : size_t {
  kGcMark = 10,
  kPinPlug = 16,
  kFitBucket = 19,
  kBgcBegin = 20,
  kBgc1stNonConEnd = 21,
  kBgc1stConEnd = 22,
  kBgc1stSweepEnd = 23,
  kBgc2ndNonConBegin = 24,
  kBgc2ndNonConEnd = 25,
  kBgc2ndConBegin = 26,
  kBgc2ndConEnd = 27,
};
struct SinkEvent {
  SinkPlace place;
  bool is_private;
  uint32_t event;
};
constexpr SinkEvent kSinkEvents[] = {
    {kGcMark, false, 202},       {kPinPlug, true, 199},          {kFitBucket, false, 209},
    {kBgcBegin, true, 11},       {kBgc1stNonConEnd, true, 12},   {kBgc1stConEnd, true, 13},
    {kBgc1stSweepEnd, true, 26}, {kBgc2ndNonConBegin, true, 14}, {kBgc2ndNonConEnd, true, 15},
    {kBgc2ndConBegin, true, 16}, {kBgc2ndConEnd, true, 17},
};
constexpr size_t kFewestRootKinds = 6;  // that mark_phase tells of

// push rbp; mov rbp, rsp; lea rax, [sink]; pop rbp; ret
constexpr std::string_view kSinkGetter = "554889e5488d05........5dc3";
constexpr uint64_t kOperandOfGetter = 7;
constexpr std::string_view kLeaFirst = "488d3d........";  // lea rdi, [function]
constexpr uint64_t kMostBetween = 96;                     // bytes from getting the sink to the call

class GcPhases {
 public:
  GcPhases(const ImageCode& code, const CallGraph& graph) : code_(code), graph_(graph) {}

  // False: there is no such table, or several.
  bool find_events(const std::vector<EventCell>& cells, const LoadedData& constants, const LoadedData& data);
  std::vector<NamedStart> name() const;

 private:
  void add_calls_of_sink(uint64_t getter);
  // Of a call through a table, as far as there is one from `at` on: the place in that.
  std::optional<size_t> table_call(uint64_t at) const;
  bool tells(uint64_t function, std::initializer_list<SinkPlace> places) const;
  size_t times(uint64_t function, SinkPlace place) const;
  // Of what gc1 calls the one for which this is so.
  template <typename Is>
  std::optional<uint64_t> callee(uint64_t gc1, Is is) const;
  // What goes through the roots is called with what is to be done with each.
  std::map<uint64_t, std::set<uint64_t>> scans(uint64_t function) const;
  std::optional<uint64_t> relocate_phase(uint64_t mark, uint64_t plan) const;

  const ImageCode& code_;
  const CallGraph& graph_;
  std::map<std::pair<uint64_t, size_t>, size_t> told_;  // function and place: how often
};

bool GcPhases::find_events(const std::vector<EventCell>& cells, const LoadedData& constants,
                           const LoadedData& data) {
  const EventWriters runtime(cells, graph_, kRuntimesOwnEvent), hidden(cells, graph_, kPrivateEvent);
  std::array<uint64_t, std::size(kSinkEvents)> writers{};
  for (size_t i = 0; i < writers.size(); ++i) {
    const SinkEvent& event = kSinkEvents[i];
    const std::vector<uint64_t> callers = (event.is_private ? hidden : runtime).callers(event.event);
    if (callers.empty()) return false;
    writers[i] = callers.front();
  }
  std::vector<uint64_t> tables;
  for (size_t at = 0; at + kBgc2ndConEnd < constants.words().size(); ++at) {
    size_t same = 0;
    while (same < writers.size() && constants.words()[at + kSinkEvents[same].place].value == writers[same])
      ++same;
    if (same == writers.size()) tables.push_back(constants.address(at));
  }
  if (tables.size() != 1) return false;
  std::set<uint64_t> sinks;
  for (size_t i = 0; i < data.words().size(); ++i) {
    const LoadedData::Word& word = data.words()[i];
    if (word.address && word.value == tables.front()) sinks.insert(data.address(i));
  }
  for (const uint32_t begin : graph_.begins()) {
    if (code_.is(kSinkGetter, begin) && sinks.contains(code_.target(begin + kOperandOfGetter).value_or(0)))
      add_calls_of_sink(begin);
  }
  return !told_.empty();
}

void GcPhases::add_calls_of_sink(uint64_t getter) {
  for (const uint64_t call : graph_.calls_of(getter)) {
    const std::optional<uint64_t> function = graph_.function(call);
    for (uint64_t at = call; function && at < call + kMostBetween; ++at) {
      const std::optional<size_t> place = table_call(at);
      if (!place) continue;
      ++told_[{*function, *place}];
      break;
    }
  }
}

// call [register + distance], of 8 or of 32 bits; registers are rax to rdi but rsp and rbp.
std::optional<size_t> GcPhases::table_call(uint64_t at) const {
  constexpr std::string_view kNear[] = {"ff50..", "ff51..", "ff52..", "ff53..", "ff56..", "ff57.."};
  constexpr std::string_view kFar[] = {"ff90....0000", "ff91....0000", "ff92....0000",
                                       "ff93....0000", "ff96....0000", "ff97....0000"};
  const auto is_there = [this, at](std::string_view pattern) { return code_.is(pattern, at); };
  size_t distance = 0;
  if (std::any_of(std::begin(kNear), std::end(kNear), is_there)) {
    distance = code_.byte(at + 2);
  } else if (std::any_of(std::begin(kFar), std::end(kFar), is_there)) {
    distance = code_.number(at + 2);
  }
  return distance != 0 && distance % sizeof(uint64_t) == 0 ? std::optional(distance / sizeof(uint64_t))
                                                           : std::nullopt;
}

size_t GcPhases::times(uint64_t function, SinkPlace place) const {
  const auto found = told_.find({function, place});
  return found != told_.end() ? found->second : 0;
}

bool GcPhases::tells(uint64_t function, std::initializer_list<SinkPlace> places) const {
  return std::all_of(places.begin(), places.end(),
                     [this, function](SinkPlace place) { return times(function, place) != 0; });
}

template <typename Is>
std::optional<uint64_t> GcPhases::callee(uint64_t gc1, Is is) const {
  std::optional<uint64_t> found;
  for (const uint64_t one : graph_.callees(gc1)) {
    if (!is(one)) continue;
    if (found || graph_.callers(one).size() != 1) return std::nullopt;
    found = one;
  }
  return found;
}

std::map<uint64_t, std::set<uint64_t>> GcPhases::scans(uint64_t function) const {
  constexpr uint64_t kMostToCall = 48;
  std::map<uint64_t, std::set<uint64_t>> found;
  const uint64_t end = graph_.end_of(function);
  for (uint64_t at = function; at < end; ++at) {
    if (!code_.is(kLeaFirst, at)) continue;
    const uint64_t with = code_.target(at + 3).value_or(0);
    if (!graph_.begins(with)) continue;
    for (uint64_t call = at + base::pattern_size(kLeaFirst); call < at + kMostToCall; ++call) {
      const std::optional<uint64_t> to = code_.call(call);
      if (!to || !graph_.begins(*to)) continue;
      found[*to].insert(with);
      break;
    }
  }
  return found;
}

std::optional<uint64_t> GcPhases::relocate_phase(uint64_t mark, uint64_t plan) const {
  const std::map<uint64_t, std::set<uint64_t>> marking = scans(mark);
  std::optional<uint64_t> found;
  for (const uint64_t one : graph_.callees(plan)) {
    if (graph_.callers(one).size() != 1) continue;
    size_t same = 0;
    bool other_work = true;
    for (const auto& [scan, with] : scans(one)) {
      const auto known = marking.find(scan);
      if (known == marking.end()) continue;
      ++same;
      other_work = other_work && std::none_of(with.begin(), with.end(), [&known](uint64_t function) {
                     return known->second.contains(function);
                   });
    }
    if (same < 2 || !other_work) continue;  // of stacks, of handles
    if (found) return std::nullopt;
    found = one;
  }
  return found;
}

std::vector<NamedStart> GcPhases::name() const {
  std::vector<NamedStart> names;
  for (const auto& told : told_) {
    if (told.first.second != kBgcBegin) continue;
    const uint64_t gc1 = told.first.first;
    const auto mark = callee(gc1, [this](uint64_t one) { return times(one, kGcMark) >= kFewestRootKinds; });
    const auto plan = callee(gc1, [this](uint64_t one) { return tells(one, {kPinPlug, kFitBucket}); });
    const auto background_mark = callee(gc1, [this](uint64_t one) {
      return tells(one, {kBgc1stNonConEnd, kBgc1stConEnd, kBgc2ndNonConBegin});
    });
    const auto background_sweep = callee(gc1, [this](uint64_t one) {
      return tells(one, {kBgc1stSweepEnd, kBgc2ndNonConEnd, kBgc2ndConBegin, kBgc2ndConEnd});
    });
    if (!mark || !plan || !background_mark || !background_sweep) continue;
    names.push_back({gc1, "gc_heap::gc1"});
    names.push_back({*mark, "gc_heap::mark_phase"});
    names.push_back({*plan, "gc_heap::plan_phase"});
    names.push_back({*background_mark, "gc_heap::background_mark_phase"});
    names.push_back({*background_sweep, "gc_heap::background_sweep"});
    if (const std::optional<uint64_t> relocate = relocate_phase(*mark, *plan))
      names.push_back({*relocate, "gc_heap::relocate_phase"});
  }
  return names;
}

}  // namespace

std::vector<NamedStart> read_gc_phases(const ImageCode& code, const std::vector<EventCell>& cells,
                                       const CallGraph& graph, const LoadedData& constants,
                                       const LoadedData& data) {
  GcPhases phases(code, graph);
  if (cells.empty() || !phases.find_events(cells, constants, data)) return {};
  return phases.name();
}

}  // namespace walkabout::symbols
