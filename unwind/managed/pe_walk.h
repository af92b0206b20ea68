// Walks a stack of Windows x64, where all code that has a frame, native or managed, has PE unwind data; what
// has none is a leaf.
//
// Pure over (Registers, Memory, PeCodeMap): no allocation, no locks of its own, nothing of the walked
// thread's is read but through Memory. REQUIRES: the caller is inside the maps' ReaderGate. Source:
// Microsoft's "x64 exception handling" (what RtlVirtualUnwind does; agent/windows/session/unwind_test.cc
// compares).
#pragma once

#include <cstdint>

#include "unwind/code/image_map.h"
#include "unwind/code/jit_map.h"
#include "unwind/machine/memory.h"
#include "unwind/machine/registers_x64.h"
#include "unwind/managed/managed_step.h"
#include "wire/frame.h"

namespace walkabout::unwind {

// A function of the system's dynamic function tables: a stub of the runtime, code of another compiler.
struct DynamicFunction {
  uint64_t begin = 0;
  uint32_t size = 0;
  uint8_t info[4 + 2 * 255] = {};  // UNWIND_INFO, not chained
  uint32_t info_size = 0;
};

struct PeCodeMap {
  const ImageMap* images = nullptr;
  const JitMap* jitted = nullptr;
  // For code that neither map knows. May be null.
  bool (*find_dynamic)(uint64_t pc, DynamicFunction* function) = nullptr;
};

class PeWalk {
 public:
  // leaf: the registers of a thread that was stopped anywhere; or (returned) of one that is about to return
  // to pc.
  PeWalk(const Registers& leaf, bool interrupted, const Memory& memory, const PeCodeMap& code)
      : regs_(leaf), interrupted_(interrupted), memory_(memory), code_(code) {
    locate();
  }
  // The frame it stands on.
  wire::Frame frame() const { return frame_; }
  const Registers& registers() const { return regs_; }
  bool managed() const { return frame_.managed(); }
  // On to the caller. False when there is none: then end() says why.
  bool step();
  wire::WalkEnd end() const { return end_; }

 private:
  void locate();
  Step step_place(bool* machine_frame);
  Step step_leaf();
  void fix_pushed_stack_pointer();

  Registers regs_;
  bool interrupted_;
  const Memory& memory_;
  const PeCodeMap& code_;
  const Image* image_ = nullptr;
  const JitRegion* region_ = nullptr;
  wire::Frame frame_;
  wire::WalkEnd end_ = wire::WalkEnd::kRooted;
  int machine_frames_ = 0;
};

// The frame that stands for an address. interrupted: it is exact, not a return address.
wire::Frame name_pe_address(const PeCodeMap& code, uint64_t pc, bool interrupted);

}  // namespace walkabout::unwind
