// The phases of the CLR's garbage collector, by the events that they tell. The collector tells them through a
// table of functions (IGCToCLREventSink), which the image's data has: a call through it names the event. It
// is there twice, for workstation and for server collections, and each has
// - gc1, which tells that a collection in the background begins, and calls the others;
// - mark_phase, which tells what each kind of root marked, and plan_phase, which tells of pinned plugs;
// - relocate_phase, which plan_phase alone calls, and which goes through the roots as mark_phase does, with
//   another function for each;
// - background_mark_phase and background_sweep, which tell where their pauses begin and end.
// Compacting and sweeping have no events; they are below plan_phase.
//
// Of each of the two all of this but relocate_phase has to be so, or it has no names; relocate_phase has one
// where that is so, too. A collector in a library of its own (libclrgc.so) has not the table, and no names.
//
// Pure. Sources: src/coreclr/gc/gcinterface.h (order of the table), gc.cpp; checked with 8.0.31, 9.0.20,
// 10.0.12.
#pragma once

#include <vector>

#include "symbols/elf/call_graph.h"
#include "symbols/elf/event_cells.h"
#include "symbols/elf/image_code.h"
#include "symbols/elf/loaded_data.h"
#include "symbols/elf/named_start.h"

namespace walkabout::symbols {

// constants: of .data.rel.ro, which has the table; data: of .data, which has what points to it.
std::vector<NamedStart> read_gc_phases(const ImageCode& code, const std::vector<EventCell>& cells,
                                       const CallGraph& graph, const LoadedData& constants,
                                       const LoadedData& data);

}  // namespace walkabout::symbols
