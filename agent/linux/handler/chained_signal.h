// A signal that is not for us goes to the handler that was there before ours. Async-signal-safe if that is.
#pragma once

#include <signal.h>
#include <ucontext.h>

namespace walkabout::agent {

inline void call_previous(const struct sigaction& previous, int signal, siginfo_t* info, void* context) {
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    if (previous.sa_sigaction != nullptr) previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  }
}

// The same for SIGTRAP, as the kernel would have called it: with its mask, once if it wants that, and with
// the default action where it is the default. Async-signal-safe.
void pass_on_trap(struct sigaction* previous, siginfo_t* info, ucontext_t* context);

}  // namespace walkabout::agent
