// A thread that is stepped must not block SIGTRAP: the kernel would kill it at the next instruction. Its
// calls of rt_sigprocmask are therefore done here, in the frame of the trap, with SIGTRAP left out.
// Async-signal-safe. Source: rt_sigprocmask(2); force_sig in the kernel.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace walkabout::agent::step {

struct SignalMask {
  bool trap_blocked = false;  // what the thread believes

  // The thread is at a system call instruction. True when it was one of these: it is done, the pc is behind
  // it.
  bool emulate(ucontext_t* context);
};

}  // namespace walkabout::agent::step
