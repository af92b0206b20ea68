// The size of a frame that is found by its frame pointer, so that its stack pointer alone tells where it is.
//
// A thread that is blocked in a system call shows its stack pointer and its pc, but not its frame pointer.
// The size of a function's frame is proven by its code:
//   an epilog that pops the saved registers behind `add rsp, n` holds only in a frame of a fixed size; or
//   the function begins by setting its frame pointer, takes stack once, by `sub rsp, n`, and no byte of it
//   looks like another instruction that sets the stack pointer (but by the frame pointer, or by
//   `add rsp, n` before the pops, which give all back).
// Bytes that look like such an instruction and are none can only hide a proof. A function that takes stack as
// it runs (alloca, localloc) has none. Nor has one whose epilogs contradict each other, nor a call that has
// arguments on the stack.
//
// What is learnt of a call site is remembered, but for code that is not known yet or cannot be read. Not for
// signal handlers: allocates. One thread. Sources: System V AMD64 ABI, section 3.2.2 (the stack is aligned at
// a call); genFnEpilog of the JIT; X86FrameLowering::emitEpilogue of LLVM; ix86_expand_prologue of GCC.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "unwind/machine/memory.h"
#include "unwind/walk/walker.h"

namespace walkabout::unwind {

// From the stack pointer of a function that has called.
struct FrameSize {
  uint64_t to_frame_pointer = 0;   // what that register holds
  uint64_t to_return_address = 0;  // the slot it is in
};

class FrameSizes {
 public:
  // pc: a return address into the function. Nothing where its frame is not found by the frame pointer, or
  // where its size is not proven. REQUIRES: inside the code map's ReaderGate.
  std::optional<FrameSize> find(uint64_t pc, const CodeMap& code, const Memory& memory);

 private:
  static constexpr size_t kMost = 4096;  // call sites

  std::unordered_map<uint64_t, std::optional<FrameSize>> known_;  // by pc
  uint32_t generation_ = 0;                                       // of the code map, when they were learnt
  std::vector<uint8_t> bytes_;                                    // of the function that is looked at
};

}  // namespace walkabout::unwind
