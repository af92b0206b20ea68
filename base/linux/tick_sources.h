// What the kernel offers to count a thread's CPU time with: perf events and CPU timers, opened or only tried
// out. The agent ticks by them inside the target, `walkabout check` asks what would be allowed. Any thread.
// Sources: perf_event_open(2), timer_create(2), uname(2).
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace walkabout::base {

// A perf event that counts the CPU time of thread `tid` (0: the caller) in nanoseconds and overflows every
// period_ns, where that falls into the thread's own code; not started. A descriptor, or -1 with errno.
int open_task_clock(pid_t tid, uint64_t period_ns);
// The same, but it overflows inside system calls too. Each overflow is a SIGTRAP of the thread, with si_code
// TRAP_PERF and `data` as its si_perf_data (tick_data()). Needs the filter of base/linux/tick_filter.h.
int open_trap_clock(pid_t tid, uint64_t period_ns, uint64_t data);

// 0 when the caller may have one on itself, else an errno value.
int try_task_clock();
// The same of a timer on a thread's CPU time.
int try_cpu_timer();
// Whether a timer that expires inside a system call waits until the call returns
// (CONFIG_POSIX_CPU_TIMERS_TASK_WORK, Linux 5.10).
bool cpu_timers_keep_calls();
// How fine such timers are: the kernel's own tick.
uint64_t kernel_tick_ns();

}  // namespace walkabout::base
