#include "agent/trace/thread_figures.h"

#include <algorithm>

namespace walkabout::agent {
namespace {

// The figures of the node in the thread's map; null: there is no room for that.
uint32_t* map_entry(ThreadTrace& thread, uint32_t node) {
  uint32_t& block = thread.map[std::min(node / ThreadTrace::kMapBlock, thread.map_size - 1)];
  if (block == 0) block = new_trace_place(thread, ThreadTrace::kMapBlock * sizeof(uint32_t));
  if (block == 0) return nullptr;
  return g_trace.memory.at<uint32_t>(block) + node % ThreadTrace::kMapBlock;
}

}  // namespace

uint32_t new_trace_place(ThreadTrace& thread, uint32_t bytes) {
  const uint32_t grains = (bytes + kTraceGrain - 1) / kTraceGrain;
  if (thread.bump_end - thread.bump < grains) {
    const uint32_t unit = g_trace.memory.take_unit(thread.units);
    if (unit == 0) return 0;
    thread.units = thread.bump = unit;
    thread.bump_end = unit + kTraceUnit / kTraceGrain;
  }
  const uint32_t place = thread.bump;
  thread.bump += grains;
  return place;
}

uint32_t new_figures(ThreadTrace& thread, uint32_t node) {
  const uint32_t place = new_trace_place(thread, sizeof(NodeFigures));
  if (place == 0) return 0;
  NodeFigures& figures = figures_at(place);
  figures.node = node;
  figures.next = thread.figures.load(std::memory_order_relaxed);
  thread.figures.store(place, std::memory_order_release);  // partner: who emits
  return place;
}

uint32_t figures_of(ThreadTrace& thread, uint32_t node) {
  uint32_t* entry = map_entry(thread, node);
  if (entry == nullptr) return 0;
  if (*entry == 0) *entry = new_figures(thread, node);
  return *entry;
}

uint32_t find_child_slowly(ThreadTrace& thread, uint32_t parent, uint32_t method) {
  const WhileTracing tracing(thread);
  if (!tracing.goes_on()) return 0;
  NodeFigures& above = figures_at(parent);
  const CallTree::Found found = g_trace.tree.find_or_add(above.node, method);
  const uint32_t place = found.node != 0 ? figures_of(thread, found.node) : 0;
  if (place == 0) return 0;
  const uint32_t figures = place | (found.folded ? NodeFigures::kFolded : 0);
  above.children[method % NodeFigures::kChildren] = {method + 1, figures};
  return figures;
}

void count_spread_slowly(ThreadTrace& thread, NodeFigures& figures, uint32_t bucket) {
  const uint32_t group = bucket / 8;
  uint32_t place = figures.spread.load(std::memory_order_relaxed);
  while (place != 0 && g_trace.memory.at<TraceSpreadPart>(place)->group != group)
    place = g_trace.memory.at<TraceSpreadPart>(place)->next;
  if (place == 0) {
    place = new_trace_place(thread, sizeof(TraceSpreadPart));
    if (place == 0) return;
    auto& part = *g_trace.memory.at<TraceSpreadPart>(place);
    part.group = group;
    part.next = figures.spread.load(std::memory_order_relaxed);
    figures.spread.store(place, std::memory_order_release);  // partner: who emits
  }
  figures.last_part = place;
  g_trace.memory.at<TraceSpreadPart>(place)->calls[bucket % 8].add(1);
}

}  // namespace walkabout::agent
