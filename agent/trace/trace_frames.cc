#include "agent/trace/trace_frames.h"

#include "agent/trace/async_call.h"

namespace walkabout::agent {
namespace {

constexpr uint16_t kCountsNothing = TraceFrame::kBlank | TraceFrame::kUnseen;

void pass_children_on(ThreadTrace& thread, const TraceFrame& frame) {
  TraceFrame& below = thread.frames[thread.depth - 1];
  below.children += frame.children;
  below.children_off += frame.children_off;
}

void count_call(NodeFigures& figures, uint64_t outcome) {
  figures.calls.add(1);
  if (outcome == kTraceException) figures.exceptions.add(1);
}

}  // namespace

// Wall time of a folded call is that of the call of its node below it already.
void count_part(ThreadTrace& thread, const TraceFrame& frame, uint64_t wall, uint64_t off) {
  NodeFigures& figures = figures_at(frame.figures);
  TraceFrame& below = thread.frames[thread.depth - 1];
  below.children += wall;
  below.children_off += off;
  if ((frame.flags.load(std::memory_order_relaxed) & TraceFrame::kFolded) == 0) {
    figures.wall.add(wall);
    figures.off.add(off);
  }
  figures.self.add(wall > frame.children ? wall - frame.children : 0);
  figures.self_off.add(off > frame.children_off ? off - frame.children_off : 0);
}

TracePart part_of(ThreadTrace& thread, const TraceFrame& frame, uint64_t now) {
  keep_off(thread);
  const uint64_t begin = frame.begin.load(std::memory_order_relaxed);
  TracePart part;
  part.wall = now > begin ? now - begin : 0;
  part.off = thread.off - frame.off_begin;
  if (part.off > part.wall) part.off = part.wall;
  return part;
}

void pop_odd_call(ThreadTrace& thread, TraceFrame& frame, uint64_t now, uint64_t outcome) {
  const uint16_t flags = frame.flags.load(std::memory_order_relaxed);
  if ((flags & TraceFrame::kAsync) != 0) return pop_ended(thread, frame, now, outcome);
  if ((flags & (kCountsNothing | TraceFrame::kUntimed)) != 0) {
    pass_children_on(thread, frame);
    if ((flags & kCountsNothing) == 0) count_call(figures_at(frame.figures), outcome);
  } else {
    const TracePart part = part_of(thread, frame, now);
    count_part(thread, frame, part.wall, part.off);
    count_length(thread, figures_at(frame.figures), part.wall);
    count_call(figures_at(frame.figures), outcome);
    if (part.wall >= g_trace.latency.load(std::memory_order_relaxed))
      keep_slow_call(thread, frame, part.wall, part.off, outcome);
  }
  unpublish(thread, frame);
}

void drop_call(ThreadTrace& thread) {
  TraceFrame& frame = thread.top();
  pass_children_on(thread, frame);
  unpublish(thread, frame);
}

void pop_unmatched(ThreadTrace& thread, uint32_t place, uint64_t now) {
  while (thread.depth > place) {
    TraceFrame& frame = thread.top();
    const uint16_t flags = frame.flags.load(std::memory_order_relaxed);
    if ((flags & kCountsNothing) == 0) thread.unmatched.add(1);
    if ((flags & TraceFrame::kAsync) != 0) drop_open_call(frame);
    if ((flags & (kCountsNothing | TraceFrame::kUntimed)) == 0) {
      const TracePart part = part_of(thread, frame, now);
      count_part(thread, frame, part.wall, part.off);
      unpublish(thread, frame);
    } else {
      drop_call(thread);
    }
  }
}

uint32_t number_of_call(TraceFrame& frame) {
  uint32_t call = frame.call.load(std::memory_order_relaxed);
  if (call == 0) {
    call = g_trace.last_call.fetch_add(1, std::memory_order_relaxed) + 1;
    frame.call.store(call, std::memory_order_relaxed);
  }
  return call;
}

// Who takes longer than a slow call is slow itself.
uint32_t number_of_caller(ThreadTrace& thread) {
  constexpr uint16_t kHasNoTime = kCountsNothing | TraceFrame::kUntimed;
  for (uint32_t place = thread.depth - 1; place > 0; --place) {
    TraceFrame& frame = thread.frames[place];
    if ((frame.flags.load(std::memory_order_relaxed) & kHasNoTime) == 0) return number_of_call(frame);
  }
  return 0;
}

void keep_slow_call(ThreadTrace& thread, TraceFrame& frame, uint64_t wall, uint64_t off, uint64_t outcome) {
  const WhileTracing tracing(thread);
  if (!tracing.goes_on()) return;
  KeptCall call;
  call.value_bytes = frame.value_bytes.load(std::memory_order_relaxed);
  if (!thread.kept.has_room(call.value_bytes)) return thread.kept.count_lost();
  call.call = number_of_call(frame);
  call.caller = number_of_caller(thread);
  call.node = frame.node.load(std::memory_order_relaxed);
  call.begin = frame.begin.load(std::memory_order_relaxed);
  call.wall = wall;
  call.off = off;
  call.thread = call.ended_in = thread.thread.load(std::memory_order_relaxed);
  call.outcome = static_cast<uint32_t>(outcome == kTraceException ? wire::CallOutcome::kException
                                                                  : wire::CallOutcome::kReturned);
  g_trace.reader->on_slow_call(call.call);
  thread.kept.put(call, thread.values + frame.values.load(std::memory_order_relaxed));
}

}  // namespace walkabout::agent
