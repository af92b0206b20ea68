// Tests only: QueryThreadCycleTime, which Wine 8 does not have, told from the clocks of Linux underneath, for
// threads that were announced. Any thread.
#pragma once

#include "base/windows/win32.h"

namespace walkabout::tests {

inline constexpr ULONG64 kCyclesPerNs = 3;

// The calling thread is counted from now on.
void announce_thread();
BOOL WINAPI thread_cycles(HANDLE thread, ULONG64* cycles);

}  // namespace walkabout::tests
