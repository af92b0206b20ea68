// The clocks that interrupt a thread after so much of its CPU time: perf events where the kernel allows them
// (exact), POSIX CPU timers else (fire at the kernel's tick only).
//
// No tick may change what a system call of the program returns or how long it takes. So ticks inside system
// calls are traps, which come when the call returns (base/linux/trap_probe.h says where that can be had);
// perf events that come as a signal tick in the program's own code only; and timers expire on the way back to
// it (CONFIG_POSIX_CPU_TIMERS_TASK_WORK, Linux 5.10). Sources: perf_event_open(2), timer_create(2), fcntl(2)
// (F_SETSIG, F_SETOWN_EX).
#pragma once

#include <sys/types.h>
#include <time.h>

#include <cstdint>
#include <string>

#include "agent/linux/descriptor_host.h"
#include "agent/shared/options.h"
#include "base/result.h"
#include "wire/records.h"

namespace walkabout::agent {

struct EngineChoice {
  wire::Engine engine = wire::Engine::kPerf;
  bool kernel_ticks = false;    // ticks inside system calls are delivered
  bool may_use_timers = false;  // of perf events: for threads that are switched often (switch_rate.h)
  std::string note;             // what the user should know about the choice; may be empty
};

// Tries the kernel out. An error only when the kernel refuses the requested engine. With perf events and
// kernel_ticks the handler of SIGTRAP stands.
base::Result<EngineChoice> choose_engine(RequestedEngine requested, uint64_t interval_ns);

// A clock on one thread of this process. All that is done to one is work of the host. The first tick comes
// after first_ns of CPU time, for timers the next every interval_ns (perf: the handler sets the interval at
// the first tick).
struct CpuClock {
  int perf_fd = -1;
  uint64_t perf_id = 0;  // the event's: what has its number may be the program's by now
  timer_t timer{};
  bool has_timer = false;
};
base::Status open_perf_clock(const DescriptorHost& host, pid_t tid, uint64_t first_ns, int signal,
                             CpuClock* clock);
// Ticks inside system calls too. filter: of base/linux/tick_filter.h.
base::Status open_trap_clock(const DescriptorHost& host, pid_t tid, uint32_t slot, uint64_t first_ns,
                             int filter, CpuClock* clock);
base::Status start_perf_clock(const CpuClock& clock);
// For one tick.
base::Status start_perf_clock_once(const CpuClock& clock);
base::Status open_timer_clock(pid_t tid, uint32_t slot, uint64_t first_ns, uint64_t interval_ns, int signal,
                              CpuClock* clock);
// From now on a tick every interval_ns. No-op where the thread has ended.
void set_clock_interval(const CpuClock& clock, uint64_t interval_ns);
void close_clock(CpuClock* clock);
// CPU time of the thread since its perf clock was started; the thread may be gone already. 0 when unknown.
uint64_t counted_ns(const CpuClock& clock);
// Whether the thread `tid` whose clock this is has ended, even if another one has its number by now. Sources:
// fcntl(2): F_GETOWN_EX names no dead owner (Linux 5.12; before, such a thread counts as living); the
// kernel's posix-cpu-timers.c: a dead thread's timer has no time left, a living one's always has some.
bool thread_gone(pid_t tid, const CpuClock& clock);

}  // namespace walkabout::agent
