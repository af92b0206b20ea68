// A thread of this process, held so that its number stays its own. Move only; any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <utility>

#include "agent/windows/cycle_rate.h"

namespace walkabout::agent {

struct StackBounds {
  uint64_t lo = 0;        // reserved memory begins
  uint64_t hi = 0;        // where it was empty
  uint64_t limit_at = 0;  // where the system keeps how far down it is committed; 0: not known
};

class ThreadHandle {
 public:
  ThreadHandle() = default;
  explicit ThreadHandle(pid_t tid);
  ThreadHandle(ThreadHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  ThreadHandle& operator=(ThreadHandle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~ThreadHandle();
  bool valid() const { return handle_ != nullptr; }
  void* get() const { return handle_; }
  bool gone() const;
  // Kernel and user time, from its cycles where their rate is known. 0 when unknown.
  uint64_t cpu_ns(const CycleRate& rate) const;
  // Empty while the thread is about to begin.
  StackBounds stack() const;

 private:
  void* handle_ = nullptr;
};

}  // namespace walkabout::agent
