#include "cli/engine_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "base/fd.h"
#include "base/tick_sources.h"

namespace walkabout::cli {
namespace {

int try_memory() {
  constexpr off_t kPage = 4096;
  const base::Fd fd(::memfd_create("walkabout-check", MFD_CLOEXEC));
  return fd.valid() && ::fallocate(fd.get(), 0, 0, kPage) == 0 ? 0 : errno;
}

}  // namespace

EngineProbe probe_engine() {
  EngineProbe probe;
  probe.perf_error = base::try_task_clock(true);
  probe.kernel_ticks = probe.perf_error == 0;
  if (!probe.kernel_ticks) probe.perf_error = base::try_task_clock(false);
  probe.timer_error = base::try_cpu_timer();
  probe.tick_ns = base::kernel_tick_ns();
  probe.memory_error = try_memory();
  return probe;
}

}  // namespace walkabout::cli
