#include "base/tick_sources.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"

namespace walkabout::base {

int open_task_clock(pid_t tid, bool kernel_ticks, uint64_t period_ns) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  attr.sample_period = period_ns;
  attr.wakeup_events = 1;
  attr.disabled = 1;
  attr.exclude_kernel = kernel_ticks ? 0 : 1;
  attr.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

int try_task_clock(bool kernel_ticks) {
  constexpr uint64_t kAnyPeriodNs = 1'000'000;
  const Fd fd(open_task_clock(0, kernel_ticks, kAnyPeriodNs));
  return fd.valid() ? 0 : errno;
}

int try_cpu_timer() {
  sigevent none{};
  none.sigev_notify = SIGEV_NONE;
  timer_t timer{};
  if (::timer_create(CLOCK_THREAD_CPUTIME_ID, &none, &timer) != 0) return errno;
  ::timer_delete(timer);
  return 0;
}

uint64_t kernel_tick_ns() {
  timespec tick{};
  ::clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
  return static_cast<uint64_t>(tick.tv_nsec);
}

}  // namespace walkabout::base
