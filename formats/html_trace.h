// What the page has of traced calls beside their times by stack: each method's figures, those of each node of
// the tree, and the slow calls one by one. A part of the payload's JSON (formats/html_payload.h). Any thread,
// no state.
//
// `trace`: array, of each process whose calls were traced an object:
//   latency_us, cpu (whether CPU times are known), inside_ns, outside_ns (of a call's probe), left_out (slow
//     calls that are not in it, the shortest), notes (array of sentences: what was not traced, and why)
//   methods: array of {name, module, timed, problem, figures}; the most time first
//   nodes: array of {node, figures}; node of the HtmlTree
//   figures: array of calls, self, total, raw self, CPU in self, in total, waiting (us), exceptions,
//     allocated (bytes), shortest, median, p99, longest (us); -1: not known
//   calls: array of {number, caller, method (index), begin, took, cpu, waiting (us), thread, ended_in, node
//     (of its stack; 0: not known), outcome ("returned", "exception", "not_ended"), arguments, result, lane};
//     by begin; an argument is {name, type, text}; lane: index into lanes, by call_lanes.h
//   lanes: array of {thread, async}
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "formats/html_tree.h"
#include "profile/model/profile.h"

namespace walkabout::formats {

nlohmann::ordered_json html_trace(const profile::Profile& profile, const HtmlTree& tree);

}  // namespace walkabout::formats
