// Wakes a thread of the agent's that waits for something to do. ring(): any thread, behind what it left to be
// done; in a callback of the runtime's too: no lock, and no system call but where somebody waits. The rest:
// one thread, in this order: listen(), a look whether there is something to do, sleep() if not.
// Source: futex(2).
#pragma once

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace walkabout::agent {

class Bell {
 public:
  void ring() {
    std::atomic_thread_fence(std::memory_order_seq_cst);  // what was left is seen, or who waits is
    if (waits_.load(std::memory_order_relaxed) == 0) return;
    rung_.fetch_add(1);
    const int saved_errno = errno;
    ::syscall(SYS_futex, &rung_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    errno = saved_errno;
  }
  void listen() {
    seen_ = rung_.load();
    waits_.store(1);
    std::atomic_thread_fence(std::memory_order_seq_cst);  // partner: ring()
  }
  // Until it is rung; not at all where it was since listen().
  void sleep() {
    ::syscall(SYS_futex, &rung_, FUTEX_WAIT_PRIVATE, seen_, nullptr, nullptr, 0);
    stop_listening();
  }
  void stop_listening() { waits_.store(0); }

 private:
  std::atomic<uint32_t> rung_{0};
  std::atomic<uint32_t> waits_{0};
  uint32_t seen_ = 0;
};

}  // namespace walkabout::agent
