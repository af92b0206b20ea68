// One thread, stopped for a moment: its registers and a copy of its stack's words. Between stop() and
// resume() nothing here allocates or takes a lock that the stopped thread may hold; the watchdog bounds what
// others do. The copy is read after the thread runs again.
#pragma once

#include "base/windows/win32.h"
// after win32.h
#include <cstdint>

#include "agent/windows/figures.h"
#include "agent/windows/guarded_copy.h"
#include "agent/windows/thread_handle.h"
#include "agent/windows/watchdog.h"
#include "unwind/machine/memory.h"
#include "unwind/machine/registers_x64.h"

namespace walkabout::agent {

class StoppedThread {
 public:
  static constexpr size_t kLargestStack = 1u << 20;  // of a deeper one the leaf end is copied

  explicit StoppedThread(Watchdog& watchdog);
  ~StoppedThread();
  StoppedThread(const StoppedThread&) = delete;
  StoppedThread& operator=(const StoppedThread&) = delete;

  // False when the thread is gone or cannot be stopped; then it runs. Nothing is copied of one that the
  // watchdog let go meanwhile.
  bool stop(const ThreadHandle& thread, const StackBounds& bounds);
  // What is executed next, where it is known to be mapped as far as `end`: epilogs are recognized by it.
  void take_code(uint64_t end);
  // In the copy: the return address that the CLR has taken from this word of the stack.
  void put_back(uint64_t slot, uint64_t return_address);
  // False once the watchdog has let it go: nothing more is to be read of its stack.
  bool stands() const { return !watchdog_.let_go(); }
  // False when the watchdog had to let it go, so that what was read since is worth nothing.
  bool resume();
  // The calling thread, without stopping it: its registers here and now.
  void take_self(const StackBounds& bounds);

  const unwind::Registers& registers() const { return registers_; }
  const CONTEXT& context() const { return context_; }
  // Over the copy.
  unwind::Memory memory() const;
  const WalkTimes& times() const { return times_; }
  void took_clr(uint64_t ns) { times_.clr += ns; }

 private:
  static constexpr size_t kCodeWindow = 64;
  void copy(const StackBounds& bounds);
  static bool read(void* self, uint64_t address, void* to, size_t size);
  static const uint8_t* code(void* self, uint64_t pc, size_t size);

  Watchdog& watchdog_;
  GuardedCopy guarded_;
  HANDLE thread_ = nullptr;
  alignas(16) CONTEXT context_{};
  unwind::Registers registers_;
  uint8_t* words_ = nullptr;
  uint64_t lo_ = 0, hi_ = 0;  // of what was copied
  uint8_t code_[kCodeWindow] = {};
  size_t code_size_ = 0;
  WalkTimes times_;
  uint64_t stopped_at_ = 0;  // when the system's calls were over
};

}  // namespace walkabout::agent
