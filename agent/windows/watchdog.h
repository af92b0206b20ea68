// Lets a stopped thread go when its walk takes too long: it may hold a lock the walk waits for, and then only
// its running on ends the wait. A thread of the agent; the sampler guards one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>

#include "agent/shared/stop_request.h"
#include "agent/windows/own_thread.h"

namespace walkabout::agent {

class Watchdog {
 public:
  // From when it looks on (it looks every kLookMs): a thread is stopped for less than 50 ms in any case.
  static constexpr uint64_t kTimeoutNs = 30'000'000;
  static constexpr uint32_t kLookMs = 10;

  base::Status start();
  void stop();
  // The sampler's: this thread was stopped just now.
  void guard(void* thread);
  // It may be resumed, by the caller. False when the watchdog did so.
  bool release();
  // The guarded thread runs again: what is read of its stack from now on is worth nothing.
  bool let_go() const { return (state_.load(std::memory_order_acquire) & kStateMask) >= kLettingGo; }
  pid_t tid() const { return tid_.load(); }
  uint64_t rescues() const { return rescues_.load(std::memory_order_relaxed); }

 private:
  // The low bits of state_; the others count the walks, so that the watchdog cannot take one for another.
  static constexpr uint64_t kIdle = 0, kGuarded = 1, kLettingGo = 2, kLetGo = 3, kStateMask = 3,
                            kNextWalk = 4;
  void run();
  void look();

  std::atomic<uint64_t> state_{kIdle};
  std::atomic<void*> thread_{nullptr};
  std::atomic<uint64_t> since_ns_{0};
  std::atomic<uint64_t> rescues_{0};
  StopRequest stop_;
  std::atomic<pid_t> tid_{0};
  OwnThread own_;
};

}  // namespace walkabout::agent
