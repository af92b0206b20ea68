#include "agent/shared/mixed_stack.h"

namespace walkabout::agent {
namespace {

using unwind::PeWalk;
using wire::WalkEnd;

constexpr int kMaxSeedSteps = 256;  // native frames above the topmost managed one
constexpr uint64_t kHardLimit = 1u << 20;

// Takes frames as the user wants them.
class Taker {
 public:
  Taker(NativeFrames native, unwind::FrameSink& sink) : native_(native), sink_(sink) {}
  void managed(wire::Frame frame) {
    sink_.push(frame);
    in_block_ = false;
  }
  void native(wire::Frame frame) {
    if (native_ == NativeFrames::kFull) sink_.push(frame);
    if (native_ == NativeFrames::kHoles && !in_block_) sink_.push(kNativeBlock);
    in_block_ = true;
  }
  void any(wire::Frame frame) { frame.managed() ? managed(frame) : native(frame); }
  bool full() const { return sink_.total() >= kHardLimit; }

 private:
  NativeFrames native_;
  unwind::FrameSink& sink_;
  bool in_block_ = false;
};

// Native frames from `from` up to the next managed one, or to the thread's entry: kRooted then, else
// *managed.
WalkEnd take_block(PeWalk& walk, Taker& taker, bool* managed) {
  do {
    *managed = walk.managed();
    if (*managed) return WalkEnd::kRooted;
    taker.native(walk.frame());
    if (taker.full()) return WalkEnd::kTooDeep;
  } while (walk.step());
  return walk.end();
}

}  // namespace

WalkEnd own_stack(const unwind::Registers& leaf, const unwind::Memory& memory, const unwind::PeCodeMap& code,
                  NativeFrames native, unwind::FrameSink& sink, const TopmostManaged& topmost) {
  Taker taker(native, sink);
  PeWalk walk(leaf, true, memory, code);
  bool awaited = topmost.met != nullptr;
  do {
    if (awaited && walk.managed()) {
      topmost.met(topmost.context, walk.registers());
      awaited = false;
    }
    taker.any(walk.frame());
    if (taker.full()) return WalkEnd::kTooDeep;
  } while (walk.step());
  return walk.end();
}

WalkEnd mixed_stack(const unwind::Registers& leaf, std::span<const SnapshotFrame> snapshot,
                    const unwind::Memory& memory, const unwind::PeCodeMap& code, NativeFrames native,
                    unwind::FrameSink& sink) {
  Taker taker(native, sink);
  bool managed = false;
  PeWalk top(leaf, true, memory, code);
  const bool leaf_is_managed = top.managed();
  WalkEnd end = take_block(top, taker, &managed);
  if (!managed) return end;  // a native thread, or one whose native frames lead nowhere
  bool first = true;
  for (const SnapshotFrame& frame : snapshot) {
    if (frame.managed) {
      taker.managed(unwind::name_pe_address(code, frame.registers.pc(), first && leaf_is_managed));
      first = managed = false;
      end = WalkEnd::kNoUnwindInfo;  // a managed frame is no thread's entry
      continue;
    }
    if (first) continue;  // the block at the leaf was walked from the leaf itself
    PeWalk block(frame.registers, false, memory, code);
    end = take_block(block, taker, &managed);
    if (managed) end = WalkEnd::kNoUnwindInfo;
  }
  return end;
}

bool find_seed(const unwind::Registers& leaf, const unwind::Memory& memory, const unwind::PeCodeMap& code,
               const SeedCheck& check, unwind::Registers* seed) {
  PeWalk walk(leaf, true, memory, code);
  for (int i = 0; i < kMaxSeedSteps; ++i) {
    const bool known = walk.managed();
    if ((known || i == 0) &&
        (check.is_managed == nullptr ? known : check.is_managed(check.context, walk.registers().pc()))) {
      *seed = walk.registers();
      return true;
    }
    if (!walk.step()) return false;
  }
  return false;
}

}  // namespace walkabout::agent
