// Walks one stack, from the registers of its leaf to the thread's entry: native frames by CFI, managed frames
// by the PE unwind codes of ready-to-run images and of the JIT, stubs by a verified return address.
//
// Pure: reads only what it is given (registers, memory, the code map). No allocation, no locks, no CLR:
// async-signal- safe. REQUIRES: the caller is inside the code map's ReaderGate.
#pragma once

#include <atomic>
#include <cstdint>

#include "unwind/code/frame_sink.h"
#include "unwind/code/image_map.h"
#include "unwind/code/jit_map.h"
#include "unwind/machine/memory.h"
#include "unwind/machine/registers_x64.h"
#include "unwind/walk/walk_memo.h"
#include "wire/frame.h"

namespace walkabout::unwind {

struct CodeMap {
  const ImageMap* images = nullptr;
  const JitMap* jitted = nullptr;
  // A native module the map does not know yet (just loaded): finds its CFI without locks. May be null.
  bool (*find_new_module)(uint64_t pc, CfiSection* cfi) = nullptr;
  // Changes whenever code is taken out of the map: what was remembered of it is void. May be null: it never
  // is.
  const std::atomic<uint32_t>* generation = nullptr;
};

// Frames walked before a stack is called too deep: a stack of a gigabyte of small frames.
inline constexpr uint64_t kHardFrameLimit = 1u << 22;
// Signal frames whose caller lies on no higher address: an alternate signal stack above the thread's own. A
// damaged stack could go in such circles until the limit above, which is a second.
inline constexpr int kMaxStackSwitches = 64;

struct WalkOutcome {
  wire::WalkEnd end = wire::WalkEnd::kNoUnwindInfo;
  bool jit_compiler = false;  // a frame of the JIT compiler's library is on the stack
  bool saw_managed = false;
  Registers first_managed;  // of the leaf-most managed frame, if wanted: the seed for the CLR's own walk
  uint64_t failed_pc = 0;   // where the walk ended, unless rooted, and its stack pointer
  uint64_t failed_sp = 0;
};

// The frame that stands for an address. interrupted: the address is exact, not a return address.
wire::Frame name_address(const CodeMap& code, uint64_t pc, bool interrupted);

// leaf: the interrupted registers. sink: takes the frames, leaf first.
// memo: of the thread walked, or null. seed: its registers cost walking frame by frame as far as the first
// managed one.
enum class Seed : uint8_t { kNotWanted, kWanted };
WalkOutcome walk(const Registers& leaf, const Memory& memory, const CodeMap& code, FrameSink& sink,
                 WalkMemo* memo = nullptr, Seed seed = Seed::kNotWanted);

}  // namespace walkabout::unwind
