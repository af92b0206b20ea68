// The agent's own threads: named, never sampled, never in managed code.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>

#include "base/result.h"

namespace walkabout::agent {

// What usleep() does not take for 0 there.
inline constexpr uint32_t kShortestSleepUs = 1000;

// While a thread stands, what works for it must not wait for a processor that the program keeps busy; and
// what lets it go comes before everything.
enum class Priority : uint8_t { kUsual, kAhead, kFirst };

// One thread of the agent. Not copied; join() or detach() before it goes away.
class OwnThread {
 public:
  // *tid is set before this returns. body runs on the new thread. An error when there is no thread to be had.
  base::Status start(const char* name, std::atomic<pid_t>* tid, std::function<void()> body,
                     Priority priority = Priority::kUsual);
  bool running() const { return thread_ != nullptr; }
  // Whether the calling thread is one.
  static bool is_current();
  void join();
  void detach();

 private:
  void* thread_ = nullptr;
};

}  // namespace walkabout::agent
