// Whether this kernel ticks inside system calls without a call's noticing: found out by trying.
//
// Until Linux 6.11 the signal is sent from the interrupt, and a blocking call that sees it comes back early;
// since then it is made when the thread returns to its own code. Source: the kernel's "perf: Enqueue SIGTRAP
// always via task_work".
#pragma once

#include <atomic>
#include <cstdint>

#include "base/linux/tick_filter.h"

namespace walkabout::base {

// The slot of the probe's clock; nobody else has it.
inline constexpr uint32_t kProbeSlot = 0xffffffff;

enum class KernelTicks : uint8_t {
  kFine,
  kRefused,   // such a clock may not be had, or the kernel does not know it
  kNoFilter,  // its filter cannot be had
  kDisturb,   // system calls come back early
  kSilent,    // they do not come
};
struct KernelTickProbe {
  KernelTicks answer = KernelTicks::kFine;
  int error = 0;  // an errno value of kRefused and kNoFilter
};

// REQUIRES: `handler` is SIGTRAP's, and counts in `ticks` those of kProbeSlot. Takes a few milliseconds of
// the calling thread.
KernelTickProbe probe_kernel_ticks(TrapHandler handler, const std::atomic<uint64_t>& ticks);

}  // namespace walkabout::base
