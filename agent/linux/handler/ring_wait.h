// A CPU timer that expires as its thread enters io_uring_enter(2): the kernel makes the signal inside that
// call's wait, which then ends with EINTR instead of being begun again (io_uring/io_uring.c,
// io_run_task_work_sig). Every other call is begun again by the kernel, or the signal is made on the way out.
#pragma once

#include <ucontext.h>

namespace walkabout::agent {

// REQUIRES: in the handler of a timer's tick, `context` is what it interrupted. Where that is the end of a
// wait of io_uring_enter, the call is made again when the handler returns: EINTR says that nothing was
// submitted. False: it is not, or cannot be told (a ring used by its registered number).
// Async-signal-safe; errno may change.
bool repeat_ring_wait(ucontext_t* context);

}  // namespace walkabout::agent
