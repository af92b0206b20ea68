// The signal that ticks arrive as: chosen so that nobody else uses it, watched so that a thief is noticed.
#pragma once

#include <signal.h>

#include <string>

#include "base/result.h"

namespace walkabout::agent {

struct TickSignal {
  int number = 0;
  std::string note;  // what the user should know; may be empty
};

// Installs on_tick for the first of wire::kTickSignals that nobody handles.
base::Result<TickSignal> install_tick_handler();
// No clock ticks any more: what was there before install_tick_handler() is put back, and the kernel forgets
// the ticks still on their way. A handler that shares its signal with one of the program's stays and passes
// all on.
void remove_tick_handler(int signal);
// False when another handler stands where ours was.
bool tick_handler_in_place(int signal);

}  // namespace walkabout::agent
