// The agent's own threads: every signal blocked, small stack, named, never sampled.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <thread>

namespace walkabout::agent {

// *tid is set before this returns. body runs on the new thread.
std::thread start_own_thread(const char* name, std::atomic<pid_t>* tid, std::function<void()> body);

}  // namespace walkabout::agent
