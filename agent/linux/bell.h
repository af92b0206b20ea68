// Wakes a thread of the agent's that waits for something to do. ring(): any thread, in a callback of the
// runtime's too: no lock, and no system call but where somebody waits. wait_for(): one thread.
// Source: futex(2).
#pragma once

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace walkabout::agent {

class Bell {
 public:
  void ring() {
    rung_.fetch_add(1);
    if (waits_.load() == 0) return;
    const int saved_errno = errno;
    ::syscall(SYS_futex, &rung_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    errno = saved_errno;
  }
  // Returns when it was rung since `seen` was read, or when the time is over.
  void wait_for(uint32_t seen, uint64_t ns) {
    const timespec time{static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
    waits_.store(1);
    ::syscall(SYS_futex, &rung_, FUTEX_WAIT_PRIVATE, seen, &time, nullptr, 0);
    waits_.store(0);
  }
  // Before who waits looks for something to do.
  uint32_t rings() const { return rung_.load(); }

 private:
  std::atomic<uint32_t> rung_{0};
  std::atomic<uint32_t> waits_{0};
};

}  // namespace walkabout::agent
