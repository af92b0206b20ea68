// A tick must not make a system call fail that would not have failed without it. SA_RESTART makes the kernel
// start most calls again, but not these (signal(7)): they return EINTR whenever a handler ran, and programs
// do not expect it. How a tick gets there: it is raised by running code, and the interrupt that delivers it
// may come a moment later, when the thread has just entered the call (seen with perf events in a virtual
// machine, about once in a thousand calls of poll). So nothing has happened yet, and the whole call is made
// again. Async-signal-safe, any thread.
#pragma once

#include <cstdint>

#include "walker/memory.h"

namespace walkabout::agent {

// pc and rax as the interrupted code will see them after the handler. If that code is about to learn that
// such a call was interrupted: true, and both are set so that the call is made again.
bool restart_interrupted_call(const walker::Memory& memory, uint64_t* pc, uint64_t* rax);

}  // namespace walkabout::agent
