#include "cli/engine_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"

namespace walkabout::cli {
namespace {

int try_perf(bool kernel_ticks) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  attr.sample_period = 1'000'000;
  attr.disabled = 1;
  attr.exclude_kernel = kernel_ticks ? 0 : 1;
  attr.exclude_hv = 1;
  const base::Fd fd(static_cast<int>(::syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  return fd.valid() ? 0 : errno;
}

int try_timer() {
  sigevent none{};
  none.sigev_notify = SIGEV_NONE;
  timer_t timer{};
  if (::timer_create(CLOCK_THREAD_CPUTIME_ID, &none, &timer) != 0) return errno;
  ::timer_delete(timer);
  return 0;
}

int try_memory() {
  constexpr off_t kPage = 4096;
  const base::Fd fd(::memfd_create("walkabout-check", MFD_CLOEXEC));
  return fd.valid() && ::fallocate(fd.get(), 0, 0, kPage) == 0 ? 0 : errno;
}

}  // namespace

EngineProbe probe_engine() {
  EngineProbe probe;
  probe.perf_error = try_perf(true);
  probe.kernel_ticks = probe.perf_error == 0;
  if (!probe.kernel_ticks) probe.perf_error = try_perf(false);
  probe.timer_error = try_timer();
  timespec tick{};
  ::clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
  probe.tick_ns = static_cast<uint64_t>(tick.tv_nsec);
  probe.memory_error = try_memory();
  return probe;
}

}  // namespace walkabout::cli
