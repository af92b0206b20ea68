// The clocks, in nanoseconds. Async-signal-safe (clock_gettime is). Source: clock_gettime(2).
#pragma once

#include <time.h>

#include <cstdint>

namespace walkabout::base {

inline uint64_t clock_ns(clockid_t clock) {
  timespec t{};
  if (::clock_gettime(clock, &t) != 0) return 0;
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}
inline uint64_t monotonic_ns() { return clock_ns(CLOCK_MONOTONIC); }
inline uint64_t wall_ns() { return clock_ns(CLOCK_REALTIME); }
inline uint64_t thread_cpu_ns() { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }
inline uint64_t process_cpu_ns() { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }
// The CPU clock of another thread of this process. Source: linux/posix-timers.h (MAKE_THREAD_CPUCLOCK,
// CPUCLOCK_SCHED).
inline clockid_t thread_cpu_clock(pid_t tid) {
  return static_cast<clockid_t>((~static_cast<unsigned>(tid) << 3) | 6u);
}

}  // namespace walkabout::base
