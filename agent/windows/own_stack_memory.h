// The memory of the calling thread's stack for a walk of itself: from its stack pointer up, where all of it
// is there, it is read where it is. Once the walk has met the topmost managed frame, a return address that
// the runtime has taken from there reads as what it was. No allocation, no lock. REQUIRES: inside the maps'
// ReaderGate.
#pragma once

#include <cstdint>

#include "agent/shared/mixed_stack.h"
#include "agent/windows/hijacked_return.h"
#include "unwind/machine/memory.h"
#include "unwind/managed/pe_walk.h"

namespace walkabout::agent {

// Of the calling thread: where its stack is empty, and where its reserved memory begins.
uint64_t stack_base();
uint64_t stack_end();

class OwnStackMemory {
 public:
  // clr: the CLR's object of the thread; 0: not known. code outlives this.
  OwnStackMemory(uint64_t sp, clr::ThreadID clr, const unwind::PeCodeMap& code);
  OwnStackMemory(const OwnStackMemory&) = delete;
  OwnStackMemory& operator=(const OwnStackMemory&) = delete;

  const unwind::Memory& memory() const { return memory_; }
  // For own_stack().
  TopmostManaged watch() { return {met, this}; }
  bool saw_managed() const { return saw_managed_; }
  // The topmost managed frame, once the walk has met it.
  const unwind::Registers& topmost() const { return topmost_; }

 private:
  static void met(void* context, const unwind::Registers& frame);
  static bool read(void* context, uint64_t address, void* to, size_t size);

  const clr::ThreadID clr_;
  const unwind::PeCodeMap& code_;
  unwind::Memory memory_;
  unwind::Registers topmost_;
  bool saw_managed_ = false;
  HijackedReturn taken_;
};

}  // namespace walkabout::agent
