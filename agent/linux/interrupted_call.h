// A tick must not make a system call fail that would not have failed without it. SA_RESTART makes the kernel
// start most calls again, but not these (signal(7)): they return EINTR whenever a handler ran, and programs
// do not expect it. How a tick gets there: it is raised by running code, and the interrupt that delivers it
// may come a moment later, when the thread has just entered the call (seen with perf events in a virtual
// machine, about once in a thousand calls of poll). So nothing has happened yet, and the whole call is made
// again. Async-signal-safe, any thread.
#pragma once

#include <ucontext.h>

namespace walkabout::agent {

// context: what the handler returns to. If that code is about to learn that such a call was interrupted:
// true, and it makes the call again instead.
bool restart_interrupted_call(ucontext_t* context);

}  // namespace walkabout::agent
