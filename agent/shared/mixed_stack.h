// Puts one stack together from what the CLR's walk gave (managed frames, and the registers where a block of
// unmanaged frames begins) and from a walk of our own, which fills those blocks: on Windows, where the CLR
// walks managed frames only.
//
// Pure: over copied stack memory, after the thread runs again. REQUIRES: inside the code maps' ReaderGate.
#pragma once

#include <cstdint>
#include <span>

#include "unwind/code/frame_sink.h"
#include "unwind/managed/pe_walk.h"

namespace walkabout::agent {

// --native: every native frame, one frame for each block of them, or none.
enum class NativeFrames : uint8_t { kFull, kHoles, kNone };

// One call of the CLR's back to us.
struct SnapshotFrame {
  bool managed = false;
  unwind::Registers registers;  // of a managed frame: pc at least; of a block: its frame nearest to the leaf
};

// Code that stands for a block of native frames nobody looked into.
inline constexpr wire::Frame kNativeBlock = wire::Frame::at_address(wire::FrameKind::kUnknown, 0);

// The walk calls met() with the registers of the topmost managed frame, when it reaches that frame. met() may
// change what the walk reads from memory afterwards. met: null, or a function.
struct TopmostManaged {
  void (*met)(void* context, const unwind::Registers& frame) = nullptr;
  void* context = nullptr;
};

// The whole stack by our own walk: for a thread the CLR refuses to walk, and for one that walks itself.
wire::WalkEnd own_stack(const unwind::Registers& leaf, const unwind::Memory& memory,
                        const unwind::PeCodeMap& code, NativeFrames native, unwind::FrameSink& sink,
                        const TopmostManaged& topmost = {});

// The CLR's frames with the native ones around and between them. snapshot: leaf first, as the CLR reported
// them.
wire::WalkEnd mixed_stack(const unwind::Registers& leaf, std::span<const SnapshotFrame> snapshot,
                          const unwind::Memory& memory, const unwind::PeCodeMap& code, NativeFrames native,
                          unwind::FrameSink& sink);

// The registers of the topmost managed frame: the seed for the CLR's walk. False when there is none.
// is_managed: asks the CLR, which may know better than the map; may be null.
struct SeedCheck {
  bool (*is_managed)(void* context, uint64_t pc) = nullptr;
  void* context = nullptr;
};
bool find_seed(const unwind::Registers& leaf, const unwind::Memory& memory, const unwind::PeCodeMap& code,
               const SeedCheck& check, unwind::Registers* seed);

}  // namespace walkabout::agent
