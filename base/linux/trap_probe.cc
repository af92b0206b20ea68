#include "base/linux/trap_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

#include <array>
#include <memory>

#include "base/fd.h"
#include "base/linux/tick_sources.h"
#include "base/linux/tick_trap.h"

namespace walkabout::base {
namespace {

constexpr uint64_t kPeriodNs = 50'000;
constexpr size_t kBlock = 64 * 1024, kBlocks = 64;  // one call takes half a millisecond
constexpr int kCalls = 20;
constexpr uint64_t kTicksEnough = 3;

// Signals for this thread while it lives: SIGTRAP and nothing else.
class OnlyTraps {
 public:
  OnlyTraps() {
    sigset_t others;
    sigfillset(&others);
    sigdelset(&others, SIGTRAP);
    ::pthread_sigmask(SIG_SETMASK, &others, &before_);
  }
  ~OnlyTraps() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  OnlyTraps(const OnlyTraps&) = delete;
  OnlyTraps& operator=(const OnlyTraps&) = delete;

 private:
  sigset_t before_;
};

// Reading zeros ends early when a signal is pending, and costs nothing but time.
KernelTicks read_under_ticks(const std::atomic<uint64_t>& ticks) {
  const Fd zeros(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  if (!zeros.valid()) return KernelTicks::kSilent;
  const auto block = std::make_unique<uint8_t[]>(kBlock);
  std::array<iovec, kBlocks> all;
  all.fill({block.get(), kBlock});
  const uint64_t enough = ticks.load() + kTicksEnough;
  for (int i = 0; i < kCalls; ++i) {
    if (::readv(zeros.get(), all.data(), kBlocks) != ssize_t{kBlock * kBlocks}) return KernelTicks::kDisturb;
    if (ticks.load() >= enough) return KernelTicks::kFine;
  }
  return KernelTicks::kSilent;
}

}  // namespace

KernelTickProbe probe_kernel_ticks(TrapHandler handler, const std::atomic<uint64_t>& ticks) {
  const Fd clock(open_trap_clock(0, kPeriodNs, tick_data(kProbeSlot)));
  if (!clock.valid()) return {KernelTicks::kRefused, errno};
  const Fd filter(load_tick_filter(handler, handler));  // as long as the one that is used
  if (!filter.valid()) return {KernelTicks::kNoFilter, errno};
  if (const int error = set_tick_filter(clock.get(), filter.get()); error != 0)
    return {KernelTicks::kNoFilter, error};
  const OnlyTraps mask;
  if (::ioctl(clock.get(), PERF_EVENT_IOC_ENABLE, 0) != 0) return {KernelTicks::kRefused, errno};
  const KernelTicks answer = read_under_ticks(ticks);
  ::ioctl(clock.get(), PERF_EVENT_IOC_DISABLE, 0);
  return {answer, 0};
}

}  // namespace walkabout::base
