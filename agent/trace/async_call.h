// Calls of async methods: a frame for each time that they go on, an OpenCall in between. In probes.
#pragma once

#include "agent/trace/trace_frames.h"

namespace walkabout::agent {

// REQUIRES: there is room for a frame. The frame's number; 0: it is not traced.
uint64_t push_resumed(ThreadTrace& thread, uint64_t method, uint32_t identity);
// The innermost call waits from `now` on.
void pop_paused(ThreadTrace& thread, uint64_t now, uint32_t identity);
// The innermost call, which went on with an OpenCall, is over.
void pop_ended(ThreadTrace& thread, TraceFrame& frame, uint64_t now, uint64_t outcome);
// It ends unseen.
void drop_open_call(const TraceFrame& frame);

// Where the values of a frame's call lie, if it went on with an OpenCall; else null.
uint8_t* open_values(const TraceFrame& frame);
// Behind them, `bytes` more. Null: there is no room.
uint8_t* more_open_values(const TraceFrame& frame, uint32_t bytes);

}  // namespace walkabout::agent
