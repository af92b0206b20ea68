// What a probe does with the calling thread's shadow stack.
#pragma once

#include "agent/trace/thread_cpu.h"
#include "agent/trace/thread_figures.h"
#include "agent/trace/traced_call.h"

namespace walkabout::agent {

// A call is over: what it was goes into the figures, and it is kept where it took long.
void keep_slow_call(ThreadTrace& thread, TraceFrame& frame, uint64_t wall, uint64_t off, uint64_t outcome);
// Its number, which it has from now on, and that of the call around the innermost one; 0: there is none.
uint32_t number_of_call(TraceFrame& frame);
uint32_t number_of_caller(ThreadTrace& thread);

// What the innermost frame was on for until `now`: of a call, or of an async method that goes on and waits.
struct TracePart {
  uint64_t wall = 0, off = 0;
};
TracePart part_of(ThreadTrace& thread, const TraceFrame& frame, uint64_t now);
void count_part(ThreadTrace& thread, const TraceFrame& frame, uint64_t wall, uint64_t off);
// The innermost frame goes, and counts nothing.
void drop_call(ThreadTrace& thread);

// What was begun and is of the recording that runs; null: nothing.
inline ThreadTrace* tracing_thread() {
  ThreadTrace* thread = t_trace;
  if (thread == nullptr || thread->recording.load(std::memory_order_relaxed) !=
                               g_trace.recording.load(std::memory_order_relaxed)) [[unlikely]]
    return nullptr;
  return thread;
}
inline ThreadTrace* trace_thread() {
  ThreadTrace* thread = tracing_thread();
  if (thread == nullptr) [[unlikely]]
    return begin_thread_trace();
  return thread;
}

inline bool only_counts(uint64_t method) {
  return std::atomic_ref<uint8_t>(g_trace.untimed[method]).load(std::memory_order_relaxed) != 0;
}

// The frame's number, and it is there. What it begins with is written before.
inline uint64_t publish(ThreadTrace& thread, TraceFrame& frame, uint32_t place) {
  const uint64_t changes = thread.changes.load(std::memory_order_relaxed) + 1;
  const uint64_t number = changes << kFramePlaceBits | place;
  thread.depth = place;
  frame.number.store(number, std::memory_order_release);  // partner: copy_shadow_stack()
  thread.changes.store(changes, std::memory_order_release);
  return number;
}

// What is written next may not be seen before the number is gone.
inline void unpublish(ThreadTrace& thread, TraceFrame& frame) {
  frame.number.store(0, std::memory_order_relaxed);
  thread.depth -= 1;
  thread.changes.store(thread.changes.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_release);  // partner: copy_shadow_stack()
}

// REQUIRES: there is room for a frame. What a frame is at first; its number is still to be published.
inline TraceFrame& prepare_frame(ThreadTrace& thread, uint32_t figures, uint32_t node, uint64_t method,
                                 uint16_t flags) {
  const TraceFrame& below = thread.top();
  TraceFrame& frame = thread.frames[thread.depth + 1];
  frame.figures = figures;
  frame.node.store(node, std::memory_order_relaxed);
  frame.method.store(static_cast<uint32_t>(method), std::memory_order_relaxed);
  frame.children = frame.children_off = 0;
  frame.call.store(0, std::memory_order_relaxed);
  frame.values.store(static_cast<uint16_t>(below.values.load(std::memory_order_relaxed) +
                                           below.value_bytes.load(std::memory_order_relaxed)),
                     std::memory_order_relaxed);
  frame.value_bytes.store(0, std::memory_order_relaxed);
  frame.flags.store(flags, std::memory_order_relaxed);
  return frame;
}

inline bool has_frame_left(const ThreadTrace& thread) { return thread.depth + 1 < thread.most_frames; }

// REQUIRES: there is room for a frame, and the method is one that is traced.
inline uint64_t push_call(ThreadTrace& thread, uint64_t method) {
  const uint32_t below = thread.top().figures;
  const uint32_t place = child_figures(thread, below, static_cast<uint32_t>(method));
  uint16_t flags = only_counts(method) ? TraceFrame::kUntimed : 0;
  uint32_t node = 0;
  if (place == 0) [[unlikely]] {
    thread.no_room.add(1);
    flags = TraceFrame::kBlank;
  } else {
    node = figures_at(place).node;
    if ((place & NodeFigures::kFolded) != 0) [[unlikely]]
      flags |= TraceFrame::kFolded;
  }
  TraceFrame& frame = prepare_frame(thread, place == 0 ? below : place, node, method, flags);
  if (flags == 0) keep_off(thread);
  frame.off_begin = thread.off;
  frame.begin.store(flags == TraceFrame::kUntimed ? 0 : trace_ticks(), std::memory_order_relaxed);
  return publish(thread, frame, thread.depth + 1);
}

// The innermost call ends at `now`.
void pop_odd_call(ThreadTrace& thread, TraceFrame& frame, uint64_t now, uint64_t outcome);
inline void pop_call(ThreadTrace& thread, uint64_t now, uint64_t outcome) {
  TraceFrame& frame = thread.top();
  if (frame.flags.load(std::memory_order_relaxed) != 0) [[unlikely]]
    return pop_odd_call(thread, frame, now, outcome);
  keep_off(thread);
  NodeFigures& figures = figures_at(frame.figures);
  TraceFrame& below = thread.frames[thread.depth - 1];
  const uint64_t begin = frame.begin.load(std::memory_order_relaxed);
  const uint64_t wall = now > begin ? now - begin : 0;
  uint64_t off = thread.off - frame.off_begin;
  below.children += wall;
  if (off != 0) [[unlikely]] {
    off = off < wall ? off : wall;
    below.children_off += off;
    figures.off.add(off);
    figures.self_off.add(off > frame.children_off ? off - frame.children_off : 0);
  }
  figures.wall.add(wall);
  figures.self.add(wall > frame.children ? wall - frame.children : 0);
  count_length(thread, figures, wall);
  figures.calls.add(1);
  if (outcome == kTraceException) [[unlikely]]
    figures.exceptions.add(1);
  if (wall >= g_trace.latency.load(std::memory_order_relaxed)) [[unlikely]]
    keep_slow_call(thread, frame, wall, off, outcome);
  unpublish(thread, frame);
}

// What was begun above a place, and whose end was not seen.
void pop_unmatched(ThreadTrace& thread, uint32_t place, uint64_t now);

}  // namespace walkabout::agent
