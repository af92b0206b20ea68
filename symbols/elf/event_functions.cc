#include "symbols/elf/event_functions.h"

#include <algorithm>
#include <string>

namespace walkabout::symbols {
namespace {

constexpr size_t kMostCallers = 6;  // steps from an event's writer

struct ToldFunction {
  const char* name;
  uint32_t begin, end;  // the events
};
constexpr ToldFunction kTold[] = {
    {"ClassLoader::LoadTypeHandleForTypeKey", 73, 74},
    {"ThreadSuspend::SuspendEE", 9, 8},
    {"ThreadSuspend::RestartEE", 7, 3},
};

}  // namespace

EventWriters::EventWriters(const std::vector<EventCell>& cells, const CallGraph& graph, uint32_t of)
    : cells_(cells), graph_(graph) {
  const auto first =
      std::find_if(cells.begin(), cells.end(), [of](const EventCell& cell) { return cell.id == of; });
  const bool elsewhere =
      first != cells.end() && std::any_of(first, cells.end(), [of, first](const EventCell& cell) {
        return cell.id == of && cell.provider != first->provider;
      });
  if (first != cells.end() && !elsewhere) provider_ = first->provider;
}

std::vector<uint64_t> EventWriters::callers(uint32_t event) const {
  CallGraph::Functions nearest;
  for (const EventCell& cell : cells_) {
    if (cell.id != event || cell.provider != provider_) continue;
    for (const uint64_t loader : graph_.loaders(cell.word)) {
      if (graph_.callees(loader).empty()) continue;  // it only says whether somebody wants the event
      const CallGraph::Functions callers = graph_.callers(loader);
      nearest.insert(callers.begin(), callers.end());
    }
  }
  std::vector<uint64_t> found;
  while (nearest.size() == 1 && found.size() < kMostCallers &&
         std::find(found.begin(), found.end(), *nearest.begin()) == found.end()) {
    found.push_back(*nearest.begin());
    nearest = graph_.callers(found.back());
  }
  return found;
}

std::vector<NamedStart> read_event_functions(const std::vector<EventCell>& cells, const CallGraph& graph) {
  const EventWriters writers(cells, graph, kRuntimesOwnEvent);
  std::vector<NamedStart> names;
  for (const ToldFunction& told : kTold) {
    const std::vector<uint64_t> begin = writers.callers(told.begin), end = writers.callers(told.end);
    const auto both = std::find_first_of(begin.begin(), begin.end(), end.begin(), end.end());
    if (both != begin.end()) names.push_back({*both, told.name});
  }
  return names;
}

}  // namespace walkabout::symbols
