// How far the frame pointer of a function that has called lies above its stack pointer.
//
// A thread that is blocked in a system call shows its stack pointer and its pc, but not its frame pointer.
// Where a frame is found by its frame pointer, the frame's size tells that pointer. The size is proven by the
// function's code: an epilog that pops the saved registers behind `add rsp, n` holds only in a frame of a
// fixed size. A function that takes stack as it runs (alloca, localloc) sets its stack pointer by the frame
// pointer instead: of such a function nothing is said. Nor of one whose epilogs contradict each other, of one
// without an epilog, and at a call that has arguments on the stack.
//
// What is learnt of a call site is remembered. Not for signal handlers: allocates. One thread.
// Sources: System V AMD64 ABI, section 3.2.2 (the stack is aligned at a call); genFnEpilog of the JIT;
// X86FrameLowering::emitEpilogue of LLVM.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "unwind/machine/memory.h"
#include "unwind/walk/walker.h"

namespace walkabout::unwind {

class FrameDistances {
 public:
  // pc: a return address into the function. Nothing where its frame is not found by the frame pointer, or
  // where its size is not proven. REQUIRES: inside the code map's ReaderGate.
  std::optional<uint64_t> find(uint64_t pc, const CodeMap& code, const Memory& memory);

 private:
  static constexpr size_t kMost = 4096;  // call sites

  std::unordered_map<uint64_t, std::optional<uint64_t>> known_;  // by pc
  uint32_t generation_ = 0;                                      // of the code map, when they were learnt
  std::vector<uint8_t> bytes_;                                   // of the function that is looked at
};

}  // namespace walkabout::unwind
