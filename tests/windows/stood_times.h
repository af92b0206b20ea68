// Tests only: how long a thread stands for a walk of the agent's, without the system's calls, also without
// those that the CLR makes while it walks: under Wine they go to a server and back. Of the sampler's thread
// alone; the others' calls are not counted.
#pragma once

#include "base/windows/win32.h"
// after win32.h
#include <cstdint>

namespace walkabout::tests {

uint64_t now_ns();
// The agent has the registers of the thread it stopped; the CLR had to ask the system for so long; the agent
// is about to let the thread go.
void stands();
void clr_called_the_system(uint64_t ns);
void goes_on();
// Two numbers of 32 bits a walk, nanoseconds: without the system, and of the system inside the CLR's walk. To
// the file that WALKABOUT_SHIM_TIMES names, if it names one.
void write_stood_times();

}  // namespace walkabout::tests
