#include "agent/trace/traced_call.h"

#include "agent/trace/async_call.h"
#include "agent/trace/trace_frames.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kFramesToLookThrough = 64;

// The frame of a call that is on, which is the innermost one then. False: it has ended.
bool reach(ThreadTrace& thread, uint64_t token, uint64_t now) {
  const uint32_t place = frame_place(token);
  if (place == 0 || place > thread.depth ||
      thread.frames[place].number.load(std::memory_order_relaxed) != token) [[unlikely]]
    return false;
  if (place != thread.depth) [[unlikely]]
    pop_unmatched(thread, place, now);
  return true;
}

void push_blank(ThreadTrace& thread, uint64_t method) {
  TraceFrame& frame = prepare_frame(thread, thread.top().figures, 0, method, TraceFrame::kBlank);
  frame.begin.store(0, std::memory_order_relaxed);
  publish(thread, frame, thread.depth + 1);
  thread.no_room.add(1);
}

bool is_of(const TraceFrame& frame, uint64_t method) {
  return frame.method.load(std::memory_order_relaxed) == static_cast<uint32_t>(method);
}

// The innermost call of the method, if it is not far away; 0: none is.
uint32_t place_of_last(const ThreadTrace& thread, uint64_t method) {
  for (uint32_t i = 0; i < kFramesToLookThrough && i < thread.depth; ++i)
    if (is_of(thread.frames[thread.depth - i], method)) return thread.depth - i;
  return 0;
}

uint8_t* room_for_values(ThreadTrace& thread, TraceFrame& frame, uint64_t bytes) {
  const uint32_t begin = frame.values.load(std::memory_order_relaxed);
  const uint32_t used = frame.value_bytes.load(std::memory_order_relaxed);
  if (bytes > kMostValueBytes || used + bytes > kMostValueBytes) return nullptr;
  uint8_t* room = open_values(frame);
  if (room == nullptr) {
    if (begin + used + bytes >= kMostThreadValueBytes) return nullptr;
    room = thread.values + begin;
    frame.value_bytes.store(static_cast<uint16_t>(used + bytes), std::memory_order_relaxed);
    return room + used;
  }
  return more_open_values(frame, static_cast<uint32_t>(bytes));
}

}  // namespace

extern "C" {

uint64_t walkabout_trace_enter(uint64_t method) {
  ThreadTrace* thread = trace_thread();
  if (thread == nullptr || method >= kMostTracedMethods) [[unlikely]]
    return 0;
  if (!has_frame_left(*thread)) [[unlikely]] {
    thread->too_deep.add(1);
    return 0;
  }
  return push_call(*thread, method);
}

void walkabout_trace_leave(uint64_t token, uint64_t outcome) {
  if (token == 0) [[unlikely]]
    return;
  const uint64_t now = trace_ticks();
  ThreadTrace* thread = tracing_thread();
  if (thread == nullptr || !reach(*thread, token, now)) [[unlikely]]
    return;
  pop_call(*thread, now, outcome);
}

uint64_t walkabout_trace_resume(uint64_t method, uint64_t identity) {
  if (identity == 0) return walkabout_trace_enter(method);
  ThreadTrace* thread = trace_thread();
  if (thread == nullptr || method >= kMostTracedMethods) return 0;
  if (has_frame_left(*thread)) return push_resumed(*thread, method, static_cast<uint32_t>(identity));
  thread->too_deep.add(1);
  return 0;
}

void walkabout_trace_pause(uint64_t token, uint64_t outcome, uint64_t identity) {
  if (token == 0) return;
  const uint64_t now = trace_ticks();
  ThreadTrace* thread = tracing_thread();
  if (thread == nullptr || !reach(*thread, token, now)) return;
  if (identity != 0) return pop_paused(*thread, now, static_cast<uint32_t>(identity));
  pop_call(*thread, now, outcome);
}

void walkabout_trace_begin(uint64_t method) {
  ThreadTrace* thread = trace_thread();
  if (thread == nullptr) [[unlikely]]
    return;
  if (!has_frame_left(*thread)) [[unlikely]] {
    thread->too_deep.add(1);
    thread->beyond += 1;
  } else if (method >= kMostTracedMethods) [[unlikely]] {
    push_blank(*thread, method);
  } else {
    push_call(*thread, method);
  }
}

void walkabout_trace_end(uint64_t method) {
  const uint64_t now = trace_ticks();
  ThreadTrace* thread = tracing_thread();
  if (thread == nullptr) [[unlikely]]
    return;
  if (thread->beyond != 0) [[unlikely]] {
    thread->beyond -= 1;
    return;
  }
  if (thread->depth == 0 || !is_of(thread->top(), method)) [[unlikely]] {
    const uint32_t place = place_of_last(*thread, method);
    if (place == 0) return thread->unmatched.add(1);
    pop_unmatched(*thread, place, now);
  }
  pop_call(*thread, now, kTraceReturned);
}

void walkabout_trace_unwound(uint64_t method) {
  const uint64_t now = trace_ticks();
  ThreadTrace* thread = tracing_thread();
  if (thread == nullptr) return;
  if (thread->beyond != 0) {
    thread->beyond -= 1;
  } else if (thread->depth != 0 && is_of(thread->top(), method)) {
    pop_call(*thread, now, kTraceException);
  }
}

uint8_t* walkabout_trace_values(uint64_t token, uint64_t bytes) {
  ThreadTrace* thread = tracing_thread();
  if (thread == nullptr || token == 0 || frame_place(token) != thread->depth) return nullptr;
  TraceFrame& frame = thread->top();
  return frame.number.load(std::memory_order_relaxed) == token ? room_for_values(*thread, frame, bytes)
                                                               : nullptr;
}

uint8_t* walkabout_trace_last_values(uint64_t bytes) {
  ThreadTrace* thread = tracing_thread();
  if (thread == nullptr || thread->depth == 0 || thread->beyond != 0) return nullptr;
  return room_for_values(*thread, thread->top(), bytes);
}

}  // extern "C"

void note_traced_allocation(uint64_t bytes) {
  ThreadTrace* thread = tracing_thread();
  if (thread != nullptr && thread->depth != 0) figures_at(thread->top().figures).allocated.add(bytes);
}

}  // namespace walkabout::agent
