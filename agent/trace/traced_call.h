// What a traced method calls when it begins and when it ends. Two ways: with a token, from a body that holds
// it (ReJIT probes), and by the method alone, from the runtime's hooks.
//
// Called by jitted code, in the runtime's own calling convention and with no transition: for integers it is
// the system's. The thread is in managed code to the runtime; so nothing here calls back, allocates from
// malloc, or waits for what a thread may hold that the runtime has stopped. It is in no handler. Without a
// recording, in a child that the program forked, and behind the end of a recording all of them do nothing.
//
// method: index of a CountedMethod, below kMostTracedMethods; others are not traced.
#pragma once

#include <cstdint>

namespace walkabout::agent {

inline constexpr uint32_t kMostTracedMethods = 1u << 18;

enum TraceOutcome : uint64_t { kTraceException = 0, kTraceReturned = 1 };

// The room for what is kept of a call's arguments, and of all calls that are on in a thread.
inline constexpr uint32_t kMostValueBytes = 512, kMostThreadValueBytes = 64 << 10;

extern "C" {

// A call begins. Its token; 0: it is not traced.
uint64_t walkabout_trace_enter(uint64_t method);
// It ends. Calls above it whose end was not seen end with it, and are counted as unmatched. A token whose
// call has ended is nothing.
void walkabout_trace_leave(uint64_t token, uint64_t outcome);

// Of async methods, around each of their MoveNexts: one call, whatever threads it goes on in. identity: what
// the method is found again by when it goes on, the same as walkabout_trace_pause() was given; it need not be
// unique (two at once of a method are noticed, and lost), only its low 26 bits count: the hash code of its
// box does (RuntimeHelpers.GetHashCode). 0: the call begins. One that is not found began unseen: what it
// calls is traced, itself it is counted as unmatched.
uint64_t walkabout_trace_resume(uint64_t method, uint64_t identity);
// identity: it waits, and `outcome` says nothing; 0: the call ends.
void walkabout_trace_pause(uint64_t token, uint64_t outcome, uint64_t identity);

// By the method: what was begun is ended in turn. A call that is not traced for want of room is known all the
// same, so that nothing is taken for another's end.
void walkabout_trace_begin(uint64_t method);
// It returned, or left by a tail call.
void walkabout_trace_end(uint64_t method);
// An exception has unwound a frame of the method: its call ends if it is the last that began.
void walkabout_trace_unwound(uint64_t method);

// Room for what is to be kept of a call that is on: `bytes` behind what it has already, to be filled before
// any other call begins or ends. Null: there is none, or the call is not the last that began. Whoever reads a
// slow call is given all of it (TraceReader::describe).
uint8_t* walkabout_trace_values(uint64_t token, uint64_t bytes);
// The same of the last call that began.
uint8_t* walkabout_trace_last_values(uint64_t bytes);
}

// The calling thread's last call has allocated; of a sample what it stands for.
void note_traced_allocation(uint64_t bytes);

}  // namespace walkabout::agent
