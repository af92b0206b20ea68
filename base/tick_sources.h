// What the kernel offers to count a thread's CPU time with: perf events and CPU timers, opened or only tried
// out. The agent ticks by them inside the target, `walkabout check` asks what would be allowed. Any thread.
// Sources: perf_event_open(2), timer_create(2).
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace walkabout::base {

// A perf event that counts the CPU time of thread `tid` (0: the caller) in nanoseconds and overflows every
// period_ns; not started. kernel_ticks: also inside system calls. A descriptor, or -1 with errno.
int open_task_clock(pid_t tid, bool kernel_ticks, uint64_t period_ns);

// 0 when the caller may have one on itself, else an errno value.
int try_task_clock(bool kernel_ticks);
// The same of a timer on a thread's CPU time.
int try_cpu_timer();
// How fine such timers are: the kernel's own tick.
uint64_t kernel_tick_ns();

}  // namespace walkabout::base
