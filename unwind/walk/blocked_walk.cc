#include "unwind/walk/blocked_walk.h"

#include <algorithm>

#include "unwind/walk/stub_step.h"

namespace walkabout::unwind {
namespace {

// No address: what is found by it cannot be read.
constexpr uint64_t kUnknown = 0x7ff0'0000'0000'0000;

Registers registers_of(uint64_t pc, uint64_t sp, uint64_t bp) {
  Registers regs;
  std::fill(std::begin(regs.r), std::end(regs.r), kUnknown);
  regs.pc() = pc;
  regs.sp() = sp;
  regs.bp() = bp;
  return regs;
}

// Where the frames of a walk go.
struct Room {
  std::span<wire::Frame> frames;
  std::span<uint64_t> stack_pointers;
};

BlockedWalk walk_with(uint64_t bp, uint64_t pc, uint64_t sp, const Memory& memory, const CodeMap& code,
                      const Room& room, WalkMemo* memo, WalkOutcome* outcome) {
  FrameSink sink(room.frames.data(), static_cast<uint32_t>(room.frames.size()));
  sink.keep_stack_pointers(room.stack_pointers);
  *outcome = walk(registers_of(pc, sp, bp), memory, code, sink, memo);
  BlockedWalk walked;
  walked.end = outcome->end;
  walked.jit_compiler = outcome->jit_compiler;
  walked.total = sink.total();
  walked.left_out = sink.left_out();
  walked.frames = sink.finish();
  return walked;
}

bool whole(wire::WalkEnd end) { return end == wire::WalkEnd::kRooted; }

// The stack is aligned where a function was called.
constexpr uint64_t kStackAlignment = 16;

}  // namespace

// No callee of the frame that the first walk ended at has saved the frame pointer, or its value would be
// known there. So it is the leaf's as well.
BlockedWalk walk_blocked(uint64_t pc, uint64_t sp, const Memory& memory, const CodeMap& code,
                         FrameSizes& sizes, std::span<wire::Frame> frames, WalkMemo* memo,
                         std::span<uint64_t> stack_pointers) {
  const Room room{frames, stack_pointers};
  WalkOutcome outcome;
  BlockedWalk walked = walk_with(kUnknown, pc, sp, memory, code, room, memo, &outcome);
  if (walked.end != wire::WalkEnd::kBadMemory || outcome.failed_sp <= sp ||
      outcome.failed_sp % kStackAlignment != 0)
    return walked;
  const std::optional<FrameSize> size = sizes.find(outcome.failed_pc, code, memory);
  uint64_t caller = 0;
  if (!size || !memory.load64(outcome.failed_sp + size->to_return_address, &caller) ||
      !is_return_address(caller, code, nullptr, memory))
    return walked;
  WalkOutcome second;
  const BlockedWalk found =
      walk_with(outcome.failed_sp + size->to_frame_pointer, pc, sp, memory, code, room, memo, &second);
  if (whole(found.end)) return found;
  return walk_with(kUnknown, pc, sp, memory, code, room, memo, &outcome);
}

}  // namespace walkabout::unwind
