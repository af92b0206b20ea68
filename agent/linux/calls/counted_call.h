// What a counted method calls when it begins: adds one to the calling thread's counter of that method
// (agent/linux/calls/call_counters.h).
//
// Called by jitted code, in the runtime's own calling convention and with no transition: for an integer it is
// the system's. The thread is in managed code to the runtime; so this neither calls back, nor waits for
// anything a thread may hold that the runtime has stopped. It is in no handler.
#pragma once

#include <cstdint>

namespace walkabout::agent {

extern "C" void walkabout_count_call(uint64_t method);

// What the calling thread counts in; null: it has nothing yet, or no more. Constant initialisation: it is
// read without asking whether it is there.
extern constinit thread_local uint64_t* t_call_counters;

// Of a thread that has none: takes a block, or counts in everybody's.
void count_first_call(uint64_t method);

// Which of the blocks of counters is the calling thread's own, of kMostCounterBlocks; 0: it has none.
uint32_t own_counter_block();

}  // namespace walkabout::agent
