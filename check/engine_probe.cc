#include "check/engine_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>

#include <atomic>

#include "base/fd.h"
#include "base/linux/tick_sources.h"
#include "base/linux/tick_trap.h"
#include "base/linux/trap_probe.h"

namespace walkabout::cli {
namespace {

int try_memory() {
  constexpr off_t kPage = 4096;
  const base::Fd fd(::memfd_create("walkabout-check", MFD_CLOEXEC));
  return fd.valid() && ::fallocate(fd.get(), 0, 0, kPage) == 0 ? 0 : errno;
}

std::atomic<uint64_t> g_ticks{0};

void count_tick(int, siginfo_t* info, void*) {
  uint32_t slot = 0;
  if (base::is_tick_trap(*info, &slot) && slot == base::kProbeSlot) ++g_ticks;
}

base::KernelTicks try_kernel_ticks() {
  struct sigaction action {
  }, before{};
  action.sa_sigaction = count_tick;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigaction(SIGTRAP, &action, &before);
  const base::KernelTicks answer = base::probe_kernel_ticks(count_tick, g_ticks).answer;
  ::sigaction(SIGTRAP, &before, nullptr);
  return answer;
}

}  // namespace

EngineProbe probe_engine() {
  EngineProbe probe;
  probe.perf_error = base::try_task_clock();
  if (probe.perf_error == 0) {
    const base::KernelTicks ticks = try_kernel_ticks();
    probe.kernel_ticks = ticks == base::KernelTicks::kFine;
    probe.disturbing = ticks == base::KernelTicks::kDisturb;
  }
  probe.timer_error = base::try_cpu_timer();
  probe.tick_ns = base::kernel_tick_ns();
  probe.memory_error = try_memory();
  return probe;
}

}  // namespace walkabout::cli
