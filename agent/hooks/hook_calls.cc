#include "agent/hooks/hook_calls.h"

#include "agent/trace/trace_frames.h"

namespace walkabout::agent {
namespace {

// The innermost frame whose caller had this stack pointer.
uint64_t& stack_pointer_of(ThreadTrace& thread) { return thread.stack_pointers[thread.depth]; }

// What stood below `limit` is gone, and no event said so: an exception has left it.
__attribute__((noinline)) void leave_behind(ThreadTrace& thread, uint64_t limit) {
  const uint64_t now = trace_ticks();
  while (thread.depth != 0 && stack_pointer_of(thread) < limit) {
    thread.beyond = 0;  // they stood above it
    pop_call(thread, now, kTraceException);
  }
}

inline void leave_frames_below(ThreadTrace& thread, uint64_t limit) {
  if (thread.depth != 0 && stack_pointer_of(thread) < limit) [[unlikely]]
    leave_behind(thread, limit);
}

}  // namespace

// Two calls that are on do not have the same caller's stack pointer: a tail call's caller has left before.
extern "C" void walkabout_hooked_enter(uint64_t method, uint64_t stack_pointer) {
  ThreadTrace* thread = trace_thread();
  if (thread == nullptr) [[unlikely]]
    return;
  leave_frames_below(*thread, stack_pointer + 1);
  walkabout_trace_begin(method);
  if (thread->beyond == 0) stack_pointer_of(*thread) = stack_pointer;
}

extern "C" void walkabout_hooked_leave(uint64_t method, uint64_t stack_pointer) {
  ThreadTrace* thread = tracing_thread();
  if (thread == nullptr) [[unlikely]]
    return;
  leave_frames_below(*thread, stack_pointer);
  if (thread->beyond != 0 && stack_pointer_of(*thread) == stack_pointer) thread->beyond = 0;
  walkabout_trace_end(method);
}

uint32_t hooked_depth() { return t_trace == nullptr ? 0 : t_trace->depth; }

void hooked_unwound(uint32_t method) { walkabout_trace_unwound(method); }

}  // namespace walkabout::agent
