// A thread's figures of nodes: made, found and added to. In its own probes.
#pragma once

#include "agent/trace/trace_process.h"

namespace walkabout::agent {

inline NodeFigures& figures_at(uint32_t place) {
  return *g_trace.memory.at<NodeFigures>(place & ~NodeFigures::kFolded);
}

// Zeroes of the thread's own memory; 0: there is no room.
uint32_t new_trace_place(ThreadTrace& thread, uint32_t bytes);
// Of a node that it has none of yet; 0 as node: of what it is called by from outside.
uint32_t new_figures(ThreadTrace& thread, uint32_t node);
// 0: there is no room.
uint32_t figures_of(ThreadTrace& thread, uint32_t node);

// Those of a method that calls of `parent` call; with kFolded where its node is one of those above. 0: there
// is no room.
uint32_t find_child_slowly(ThreadTrace& thread, uint32_t parent, uint32_t method);
inline uint32_t child_figures(ThreadTrace& thread, uint32_t parent, uint32_t method) {
  for (const NodeFigures::Child& child : figures_at(parent).children)
    if (child.method == method + 1) [[likely]]
      return child.figures;
  return find_child_slowly(thread, parent, method);
}

// A call took `ticks`.
void count_spread_slowly(ThreadTrace& thread, NodeFigures& figures, uint32_t bucket);
inline void count_spread(ThreadTrace& thread, NodeFigures& figures, uint64_t ticks) {
  const TickRate rate{g_trace.ns_per_tick.load(std::memory_order_relaxed)};
  const uint32_t bucket = wire::trace_bucket(rate.ns(ticks));
  if (figures.last_part != 0) [[likely]] {
    auto& part = *g_trace.memory.at<TraceSpreadPart>(figures.last_part);
    if (part.group == bucket / 8) [[likely]]
      return part.calls[bucket % 8].add(1);
  }
  count_spread_slowly(thread, figures, bucket);
}

inline void count_length(ThreadTrace& thread, NodeFigures& figures, uint64_t ticks) {
  if (ticks < figures.least.get() || figures.calls.get() == 0) figures.least.set(ticks);
  if (ticks > figures.most.get()) figures.most.set(ticks);
  count_spread(thread, figures, ticks);
}

}  // namespace walkabout::agent
