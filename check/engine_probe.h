// What the kernel lets this process use to tick and to share memory, found out by trying. The agent tries
// the same inside the profiled process (agent/linux/cpu_clock.h), which may be allowed more or less.
#pragma once

#include <cstdint>

namespace walkabout::cli {

// Errors are errno values, 0: it works.
struct EngineProbe {
  int perf_error = 0;
  bool kernel_ticks = false;  // perf events tick inside system calls too
  int timer_error = 0;        // a timer on a thread's CPU time
  uint64_t tick_ns = 0;       // the kernel's own tick, the finest such timers are
  int memory_error = 0;       // a memfd with a page behind it
  bool disturbing = false;    // they would, but this kernel would end calls early for them
};
EngineProbe probe_engine();

}  // namespace walkabout::cli
