// Functions of the CLR that are known by the events which they tell: who writes both the beginning and the
// end of something does it. A function is found from the word that has the event (event_cells.h): by who
// loads it and writes it out, who calls that one, and so on while there is one caller alone.
//
// Nothing is named where an event is written from two places, or where the two events' writers do not meet.
//
// Pure. Sources: ClassLoader::LoadTypeHandleForTypeKey in src/coreclr/vm/clsload.cpp,
// ThreadSuspend::SuspendEE and RestartEE in threadsuspend.cpp; checked with 8.0.31, 9.0.20, 10.0.12.
#pragma once

#include <cstdint>
#include <vector>

#include "symbols/elf/call_graph.h"
#include "symbols/elf/event_cells.h"
#include "symbols/elf/named_start.h"

namespace walkabout::symbols {

// The events of one provider.
class EventWriters {
 public:
  // of: an event that the provider has and others have not.
  EventWriters(const std::vector<EventCell>& cells, const CallGraph& graph, uint32_t of);
  // Who calls the functions that write this event, and who calls that one: the nearest first, as far as there
  // is one alone. Empty: it is written from several places, or there is no such event.
  std::vector<uint64_t> callers(uint32_t event) const;

 private:
  const std::vector<EventCell>& cells_;
  const CallGraph& graph_;
  uint64_t provider_ = 0;  // 0: it is not there
};

std::vector<NamedStart> read_event_functions(const std::vector<EventCell>& cells, const CallGraph& graph);

// Events of the provider Microsoft-Windows-DotNETRuntime, and of its private one, that tell them apart.
inline constexpr uint32_t kRuntimesOwnEvent = 73;  // TypeLoadStart
inline constexpr uint32_t kPrivateEvent = 199;     // PinPlugAtGCTime

}  // namespace walkabout::symbols
