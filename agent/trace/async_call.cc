#include "agent/trace/async_call.h"

#include <algorithm>
#include <cstring>

namespace walkabout::agent {
namespace {

uint32_t number_of(const TraceFrame& frame) { return frame.open.load(std::memory_order_relaxed); }

bool is_slow(const OpenCall& call) {
  return call.wall + call.waiting >= g_trace.latency.load(std::memory_order_relaxed);
}

uint64_t push_part(ThreadTrace& thread, uint32_t figures, uint64_t method, uint16_t flags, uint32_t open) {
  TraceFrame& frame = prepare_frame(thread, figures, figures_at(figures).node, method, flags);
  frame.open.store(static_cast<uint16_t>(open), std::memory_order_relaxed);
  if (open != 0) frame.call.store(g_trace.open.at(open).call, std::memory_order_relaxed);
  keep_off(thread);
  frame.off_begin = thread.off;
  frame.begin.store(trace_ticks(), std::memory_order_relaxed);
  return publish(thread, frame, thread.depth + 1);
}

// What it calls stands below its node all the same, where there is one.
uint64_t push_unseen(ThreadTrace& thread, uint64_t method) {
  const uint32_t below = thread.top().figures;
  const uint32_t figures = child_figures(thread, below, static_cast<uint32_t>(method));
  return push_part(thread, figures == 0 ? below : figures, method, TraceFrame::kUnseen, 0);
}

void add_part(ThreadTrace& thread, const TraceFrame& frame, uint64_t now, OpenCall* call) {
  const TracePart part = part_of(thread, frame, now);
  count_part(thread, frame, part.wall, part.off);
  call->wall += part.wall;
  call->off += part.off;
  call->call = frame.call.load(std::memory_order_relaxed);
}

// The call begins to be one that waits.
uint32_t open_call(ThreadTrace& thread, const TraceFrame& frame) {
  const uint32_t number = g_trace.open.take();
  if (number == 0) return 0;
  OpenCall& call = g_trace.open.at(number);
  call.begin = frame.begin.load(std::memory_order_relaxed);
  call.node = frame.node.load(std::memory_order_relaxed);
  call.method = frame.method.load(std::memory_order_relaxed);
  call.thread = thread.thread.load(std::memory_order_relaxed);
  call.value_bytes = frame.value_bytes.load(std::memory_order_relaxed);
  std::memcpy(call.values, thread.values + frame.values.load(std::memory_order_relaxed), call.value_bytes);
  // It may prove slow, and who awaits it with it.
  if (g_trace.latency.load(std::memory_order_relaxed) != UINT64_MAX) call.caller = number_of_caller(thread);
  return number;
}

// Of a method that only counts since it began.
void count_open_call(ThreadTrace& thread, uint32_t number) {
  const uint32_t figures = figures_of(thread, g_trace.open.at(number).node);
  if (figures != 0) figures_at(figures).calls.add(1);
  if (figures == 0) thread.no_room.add(1);
  g_trace.open.give_back(number);
}

void keep_ended(ThreadTrace& thread, TraceFrame& frame, OpenCall& ended, uint64_t outcome) {
  KeptCall call;
  call.value_bytes = std::min(ended.value_bytes, kMostValueBytes);
  if (!thread.kept.has_room(call.value_bytes)) return thread.kept.count_lost();
  call.call = number_of_call(frame);
  call.caller = ended.caller;
  call.node = ended.node;
  call.begin = ended.begin;
  call.wall = ended.wall + ended.waiting;
  call.off = ended.off + ended.waiting;
  call.waiting = ended.waiting;
  call.thread = ended.thread;
  call.ended_in = thread.thread.load(std::memory_order_relaxed);
  call.outcome = static_cast<uint32_t>(outcome == kTraceException ? wire::CallOutcome::kException
                                                                  : wire::CallOutcome::kReturned);
  if (!ended.told) g_trace.reader->on_slow_call(call.call);
  thread.kept.put(call, ended.values);
}

}  // namespace

uint64_t push_resumed(ThreadTrace& thread, uint64_t method, uint32_t identity) {
  const WhileTracing tracing(thread);
  if (!tracing.goes_on()) return 0;
  const uint32_t number = g_trace.open.find(static_cast<uint32_t>(method), identity);
  if (only_counts(method)) {
    if (number != 0) count_open_call(thread, number);
    return push_unseen(thread, method);
  }
  if (number == 0) {
    thread.unmatched.add(1);
    return push_unseen(thread, method);
  }
  OpenCall& call = g_trace.open.at(number);
  const uint32_t figures = figures_of(thread, call.node);
  if (figures == 0) {
    g_trace.open.give_back(number);
    thread.no_room.add(1);
    return push_unseen(thread, method);
  }
  const uint64_t now = trace_ticks();
  if (now > call.paused) call.waiting += now - call.paused;
  if (is_slow(call) && !call.told) {
    call.told = true;
    if (call.call == 0) call.call = g_trace.last_call.fetch_add(1, std::memory_order_relaxed) + 1;
    g_trace.reader->on_slow_call(call.call);
  }
  return push_part(thread, figures, method, TraceFrame::kAsync, number);
}

void pop_paused(ThreadTrace& thread, uint64_t now, uint32_t identity) {
  const WhileTracing tracing(thread);
  TraceFrame& frame = thread.top();
  const uint16_t flags = frame.flags.load(std::memory_order_relaxed);
  if ((flags & TraceFrame::kUntimed) != 0) return pop_call(thread, now, kTraceReturned);
  if (!tracing.goes_on() || (flags & (TraceFrame::kBlank | TraceFrame::kUnseen)) != 0)
    return drop_call(thread);
  const uint32_t number = (flags & TraceFrame::kAsync) != 0 ? number_of(frame) : open_call(thread, frame);
  if (number == 0) {
    thread.no_room.add(1);
    return drop_call(thread);
  }
  OpenCall& call = g_trace.open.at(number);
  add_part(thread, frame, now, &call);
  call.paused = now;
  const OpenCalls::Put put = g_trace.open.put(number, call.method, identity);
  if (put == OpenCalls::Put::kNoRoom) {
    g_trace.open.give_back(number);
    thread.no_room.add(1);
  }
  unpublish(thread, frame);
}

void pop_ended(ThreadTrace& thread, TraceFrame& frame, uint64_t now, uint64_t outcome) {
  const WhileTracing tracing(thread);
  if (!tracing.goes_on()) return drop_call(thread);
  OpenCall& call = g_trace.open.at(number_of(frame));
  add_part(thread, frame, now, &call);
  NodeFigures& figures = figures_at(frame.figures);
  count_length(thread, figures, call.wall + call.waiting);
  figures.calls.add(1);
  figures.waiting.add(call.waiting);
  if (outcome == kTraceException) figures.exceptions.add(1);
  if (is_slow(call)) keep_ended(thread, frame, call, outcome);
  g_trace.open.give_back(number_of(frame));
  unpublish(thread, frame);
}

void drop_open_call(const TraceFrame& frame) { g_trace.open.give_back(number_of(frame)); }

uint8_t* open_values(const TraceFrame& frame) {
  if ((frame.flags.load(std::memory_order_relaxed) & TraceFrame::kAsync) == 0) return nullptr;
  return g_trace.open.at(number_of(frame)).values;
}

uint8_t* more_open_values(const TraceFrame& frame, uint32_t bytes) {
  OpenCall& call = g_trace.open.at(number_of(frame));
  if (call.value_bytes > kMostValueBytes || bytes > kMostValueBytes - call.value_bytes) return nullptr;
  call.value_bytes += bytes;
  return call.values + call.value_bytes - bytes;
}

}  // namespace walkabout::agent
