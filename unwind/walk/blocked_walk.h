// Walks the stack of a thread that is blocked in a system call, of which only the stack pointer and the pc
// are known (/proc/self/task/TID/syscall).
//
// Every other register is unknown. Functions of libc save what they use, so most walks never need one. Where
// a caller's frame is found by its frame pointer, and no callee saved that, the size of the caller's frame
// tells it (frame_size.h). Such a stack counts only if its walk reaches the thread's entry. Otherwise the
// frames up to that caller are all that is returned, and the walk ends as kBadMemory: no caller is guessed.
//
// Not for signal handlers: allocates. REQUIRES: inside the code map's ReaderGate.
#pragma once

#include <cstdint>
#include <span>

#include "unwind/walk/frame_size.h"
#include "unwind/walk/walker.h"

namespace walkabout::unwind {

struct BlockedWalk {
  wire::WalkEnd end = wire::WalkEnd::kNoUnwindInfo;
  uint32_t frames = 0;
  bool left_out = false;  // the middle of a deep stack
  bool jit_compiler = false;
  uint64_t total = 0;  // frames walked
};

// frames: takes the stack, leaf first; at least 4. memo: of the thread that walks, which may walk the stacks
// of many, or null. stack_pointers: takes those of the first frames.
BlockedWalk walk_blocked(uint64_t pc, uint64_t sp, const Memory& memory, const CodeMap& code,
                         FrameSizes& sizes, std::span<wire::Frame> frames, WalkMemo* memo = nullptr,
                         std::span<uint64_t> stack_pointers = {});

}  // namespace walkabout::unwind
