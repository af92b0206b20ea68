#include "base/linux/tick_sources.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"

namespace walkabout::base {

namespace {

perf_event_attr task_clock(uint64_t period_ns) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  attr.sample_period = period_ns;
  attr.wakeup_events = 1;
  attr.disabled = 1;
  attr.exclude_hv = 1;
  return attr;
}

int open_event(const perf_event_attr& attr, pid_t tid) {
  return static_cast<int>(::syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

int open_task_clock(pid_t tid, uint64_t period_ns) {
  perf_event_attr attr = task_clock(period_ns);
  attr.exclude_kernel = 1;
  return open_event(attr, tid);
}

int open_trap_clock(pid_t tid, uint64_t period_ns, uint64_t data) {
  perf_event_attr attr = task_clock(period_ns);
  attr.sigtrap = 1;
  attr.remove_on_exec = 1;  // the kernel wants it with sigtrap
  attr.sig_data = data;
  return open_event(attr, tid);
}

int try_task_clock() {
  constexpr uint64_t kAnyPeriodNs = 1'000'000;
  const Fd fd(open_task_clock(0, kAnyPeriodNs));
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

bool cpu_timers_keep_calls() {
  utsname system{};
  int major = 0, minor = 0;
  if (::uname(&system) != 0 || ::sscanf(system.release, "%d.%d", &major, &minor) != 2) return false;
  return major > 5 || (major == 5 && minor >= 10);
}

uint64_t kernel_tick_ns() {
  timespec tick{};
  ::clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
  return static_cast<uint64_t>(tick.tv_nsec);
}

}  // namespace walkabout::base
