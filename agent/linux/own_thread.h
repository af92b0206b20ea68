// The agent's own threads: every signal blocked, small stack, named, never sampled.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>

#include "base/result.h"

namespace walkabout::agent {

// So short a wait is a wait.
inline constexpr uint32_t kShortestSleepUs = 100;

// One thread of the agent. Not copied; join() or detach() before it goes away.
class OwnThread {
 public:
  // *tid is set before this returns. body runs on the new thread. An error when there is no thread to be had.
  base::Status start(const char* name, std::atomic<pid_t>* tid, std::function<void()> body);
  bool running() const { return running_; }
  // Whether the calling thread is one.
  static bool is_current();
  void join();
  void detach();

 private:
  pthread_t thread_{};
  bool running_ = false;
};

}  // namespace walkabout::agent
