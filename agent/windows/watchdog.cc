#include "base/windows/win32.h"
// after win32.h
#include <chrono>

#include "agent/windows/watchdog.h"
#include "base/clock.h"

namespace walkabout::agent {

base::Status Watchdog::start() {
  return own_.start(
      "walkabout-watch", &tid_, [this] { run(); }, Priority::kFirst);
}

void Watchdog::stop() {
  stop_.request();
  own_.join();
}

void Watchdog::guard(void* thread) {
  thread_.store(thread, std::memory_order_relaxed);
  since_ns_.store(base::monotonic_ns(), std::memory_order_relaxed);
  const uint64_t walk = (state_.load(std::memory_order_relaxed) & ~kStateMask) + kNextWalk;
  state_.store(walk | kGuarded, std::memory_order_release);  // partner: look()
}

bool Watchdog::release() {
  uint64_t guarded = (state_.load(std::memory_order_relaxed) & ~kStateMask) | kGuarded;
  if (state_.compare_exchange_strong(guarded, (guarded & ~kStateMask) | kIdle)) return true;
  // Until it has used the handle.
  while ((state_.load(std::memory_order_acquire) & kStateMask) != kLetGo) ::Sleep(0);
  state_.store(state_.load(std::memory_order_relaxed) & ~kStateMask, std::memory_order_release);
  return false;
}

void Watchdog::look() {
  uint64_t state = state_.load(std::memory_order_acquire);  // partner: guard()
  if ((state & kStateMask) != kGuarded) return;
  void* thread = thread_.load(std::memory_order_relaxed);
  if (base::monotonic_ns() - since_ns_.load(std::memory_order_relaxed) < kTimeoutNs) return;
  if (!state_.compare_exchange_strong(state, (state & ~kStateMask) | kLettingGo)) return;
  ::ResumeThread(thread);
  rescues_.fetch_add(1, std::memory_order_relaxed);
  state_.store((state & ~kStateMask) | kLetGo, std::memory_order_release);  // partner: release()
}

void Watchdog::run() {
  while (!stop_.wait_for(std::chrono::milliseconds(kLookMs))) look();
}

}  // namespace walkabout::agent
