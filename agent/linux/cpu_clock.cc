#include "agent/linux/cpu_clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/linux/handler/handler.h"
#include "agent/linux/handler/tick_signal.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/linux/tick_filter.h"
#include "base/linux/tick_sources.h"
#include "base/linux/tick_trap.h"
#include "base/linux/trap_probe.h"
#include "base/system_error.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace walkabout::agent {
namespace {

base::Result<EngineChoice> timer_choice(uint64_t interval_ns, std::string why) {
  if (const int error = base::try_cpu_timer(); error != 0) {
    return base::Status::error(why + (why.empty() ? "" : "; ") +
                               (why.empty() ? "CPU timers cannot be had" : "nor CPU timers") +
                               " (timer_create: " + strerror(error) + ")");
  }
  EngineChoice choice;
  choice.engine = wire::Engine::kTimer;
  choice.kernel_ticks = true;
  choice.note = std::move(why);
  const uint64_t tick_ns = base::kernel_tick_ns();
  if (interval_ns < tick_ns) {
    if (!choice.note.empty()) choice.note += "; ";
    choice.note += "CPU timers fire at the kernel's tick: at most " +
                   std::to_string(1'000'000'000 / tick_ns) +
                   " samples a second of CPU time, the missed ones are counted";
  }
  return choice;
}

std::string explain(const base::KernelTickProbe& probe) {
  switch (probe.answer) {
    case base::KernelTicks::kDisturb:
      return "no ticks inside system calls: this kernel (before Linux 6.11) would end them early";
    case base::KernelTicks::kNoFilter:
      return std::string(
                 "no ticks inside system calls: the filter that keeps them out of execve cannot be "
                 "had (bpf: ") +
             strerror(probe.error) + ")";
    case base::KernelTicks::kSilent:
      return "no ticks inside system calls: none came when they were tried out";
    case base::KernelTicks::kRefused:
    case base::KernelTicks::kFine:
      break;
  }
  return "";
}

// why: what the user should know; empty where they are refused as a matter of rights, as they are to most.
bool kernel_ticks(std::string* why) {
  const bool stood = trap_handler_in_place();
  if (base::Status s = install_trap_handler(); !s.ok()) {
    *why = "no ticks inside system calls: " + s.message();
    return false;
  }
  const base::KernelTickProbe probe = base::probe_kernel_ticks(on_trap, probe_ticks());
  if (probe.answer == base::KernelTicks::kFine) return true;
  if (!stood) remove_trap_handler();
  *why = explain(probe);
  return false;
}

timespec to_timespec(uint64_t ns) {
  return {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
}

// Whose end thread_gone() asks for.
bool set_owner(int fd, pid_t tid) {
  f_owner_ex owner{F_OWNER_TID, tid};
  return ::fcntl(fd, F_SETOWN_EX, &owner) == 0;
}

void own(int fd, CpuClock* clock) {
  clock->perf_fd = fd;
  ::ioctl(fd, PERF_EVENT_IOC_ID, &clock->perf_id);
}

// Its number stands for it still.
bool has_event(const CpuClock& clock) {
  uint64_t id = 0;
  return clock.perf_fd >= 0 && ::ioctl(clock.perf_fd, PERF_EVENT_IOC_ID, &id) == 0 && id == clock.perf_id;
}

}  // namespace

base::Result<EngineChoice> choose_engine(RequestedEngine requested, uint64_t interval_ns) {
  if (requested == RequestedEngine::kTimer) return timer_choice(interval_ns, "");
  const int error = base::try_task_clock();
  if (error == 0) {
    EngineChoice choice;
    choice.kernel_ticks = kernel_ticks(&choice.note);
    choice.may_use_timers = requested == RequestedEngine::kAuto && base::cpu_timers_keep_calls();
    return choice;
  }
  const std::string cause =
      std::string("perf events are not allowed here (perf_event_open: ") + strerror(error) + ")";
  if (requested == RequestedEngine::kPerf) {
    return base::Status::error(
        cause +
        "; use --engine timer, or allow them (kernel.perf_event_paranoid, the container's seccomp profile)");
  }
  return timer_choice(interval_ns, cause + ", CPU timers are used instead");
}

base::Status open_perf_clock(const DescriptorHost& host, pid_t tid, uint64_t first_ns, int signal,
                             CpuClock* clock) {
  const int fd = host.kept(base::open_task_clock(tid, first_ns));
  if (fd < 0) return base::system_error("perf_event_open");
  if (::fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) != 0 || ::fcntl(fd, F_SETSIG, signal) != 0 ||
      !set_owner(fd, tid)) {
    const int error = errno;
    ::close(fd);
    return base::Status::error(std::string("cannot direct a perf event's signal: ") + strerror(error));
  }
  own(fd, clock);
  return {};
}

base::Status open_trap_clock(const DescriptorHost& host, pid_t tid, uint32_t slot, uint64_t first_ns,
                             int filter, CpuClock* clock) {
  base::Fd fd(host.kept(base::open_trap_clock(tid, first_ns, base::tick_data(slot))));
  if (!fd.valid()) return base::system_error("perf_event_open");
  if (const int error = base::set_tick_filter(fd.get(), filter); error != 0)
    return base::Status::error(std::string("cannot filter a perf event's ticks: ") + strerror(error));
  if (!set_owner(fd.get(), tid)) return base::system_error("fcntl");
  own(fd.release(), clock);
  return {};
}

base::Status start_perf_clock(const CpuClock& clock) {
  if (::ioctl(clock.perf_fd, PERF_EVENT_IOC_ENABLE, 0) == 0) return {};
  return base::system_error("cannot start a perf event");
}

base::Status start_perf_clock_once(const CpuClock& clock) {
  if (::ioctl(clock.perf_fd, PERF_EVENT_IOC_REFRESH, 1) == 0) return {};
  return base::system_error("cannot start a perf event");
}

base::Status open_timer_clock(pid_t tid, uint32_t slot, uint64_t first_ns, uint64_t interval_ns, int signal,
                              CpuClock* clock) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event.sigev_value.sival_ptr = reinterpret_cast<void*>(base::tick_data(slot));
  event.sigev_notify_thread_id = tid;
  if (::timer_create(base::thread_cpu_clock(tid), &event, &clock->timer) != 0) {
    return base::system_error("timer_create");
  }
  clock->has_timer = true;
  const itimerspec spec{to_timespec(interval_ns), to_timespec(first_ns)};
  if (::timer_settime(clock->timer, 0, &spec, nullptr) == 0) return {};
  const int error = errno;
  close_clock(clock);
  return base::Status::error(std::string("timer_settime: ") + strerror(error));
}

void set_clock_interval(const CpuClock& clock, uint64_t interval_ns) {
  if (has_event(clock)) ::ioctl(clock.perf_fd, PERF_EVENT_IOC_PERIOD, &interval_ns);
  if (!clock.has_timer) return;
  const itimerspec spec{to_timespec(interval_ns), to_timespec(interval_ns)};
  ::timer_settime(clock.timer, 0, &spec, nullptr);
}

void close_clock(CpuClock* clock) {
  if (has_event(*clock)) ::close(clock->perf_fd);
  if (clock->has_timer) ::timer_delete(clock->timer);
  *clock = CpuClock();
}

uint64_t counted_ns(const CpuClock& clock) {
  uint64_t count = 0;
  if (!has_event(clock) || ::read(clock.perf_fd, &count, sizeof count) != sizeof count) return 0;
  return count;
}

bool thread_gone(pid_t tid, const CpuClock& clock) {
  if (::syscall(SYS_tgkill, ::getpid(), tid, 0) != 0 && errno == ESRCH) return true;
  if (has_event(clock)) {
    f_owner_ex owner{F_OWNER_TID, tid};
    return ::fcntl(clock.perf_fd, F_GETOWN_EX, &owner) == 0 && owner.pid == 0;
  }
  itimerspec left{};
  return clock.has_timer && ::timer_gettime(clock.timer, &left) == 0 && left.it_value.tv_sec == 0 &&
         left.it_value.tv_nsec == 0;
}

}  // namespace walkabout::agent
