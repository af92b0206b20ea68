// A word that each thread of the process has of its own, 0 at its begin. The system keeps it: a variable that
// is thread_local is allocated by mingw-w64's library when its thread uses it first. Any thread, in any
// callback; the last error of the thread is set to 0 by get(). Source: TlsAlloc.
#pragma once

#include <cstdint>

namespace walkabout::agent {

class ThreadWord {
 public:
  ThreadWord();
  ~ThreadWord();
  ThreadWord(const ThreadWord&) = delete;
  ThreadWord& operator=(const ThreadWord&) = delete;

  uintptr_t get() const;
  void set(uintptr_t word) const;

 private:
  uint32_t index_;
};

}  // namespace walkabout::agent
