// The signals that ticks arrive as: one chosen so that nobody else uses it, and SIGTRAP for ticks inside
// system calls, which the runtime and debuggers use too. Watched so that the loss of the signal is noticed.
#pragma once

#include <signal.h>

#include <string>

#include "base/linux/tick_filter.h"
#include "base/result.h"

namespace walkabout::agent {

struct TickSignal {
  int number = 0;
  std::string note;  // what the user should know; may be empty
};

// Installs on_tick for the first of wire::kTickSignals that nobody handles; where there is none, before the
// program's handler of one of them.
base::Result<TickSignal> install_tick_handler();
// The same when the program has taken the one we had, `taken`: 0 where there is none that nobody handles. Who
// handles signals on alternate stacks may run code on stacks too small for them (goroutines): so does ours
// then. 0 too where the kernel's frame alone nearly fills the alternate stack that the runtime makes.
int move_tick_handler(int taken);
// No clock ticks any more: what was there before install_tick_handler() is put back, and the kernel forgets
// the ticks still on their way. A handler that shares its signal with one of the program's stays and passes
// all on.
void remove_tick_handler(int signal);
// False when another handler stands where ours was.
bool tick_handler_in_place(int signal);

// Installs on_trap before what stands there. It stays for as long as the process lives: a thread may have a
// tick still to come that waits in a system call, and what is no tick is passed on as if it were not there.
// An error where the program put another handler in the place of an earlier one of ours.
base::Status install_trap_handler();
// Of a handler that never had a tick: takes it away again.
void remove_trap_handler();
bool trap_handler_in_place();
// Where the program has put the default action in the place of on_trap, a thread that slept in a system call
// since its last tick would end the program with it. Puts on_late_trap before the default action; no-op where
// that is not what stands there, or on_trap never stood.
// Async-signal-safe.
void catch_late_traps();
// The handler that calls catch_late_traps() where the kernel's filter wakes a thread
// (base/linux/tick_filter.h): that of SIGURG. Null where SIGURG is not ours alone.
void (*wake_handler())(int, siginfo_t*, void*);
// What a tick takes of its thread's stack.
base::TickStack tick_stack();

}  // namespace walkabout::agent
