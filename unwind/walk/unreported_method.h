// Finds the unwind data of a jitted method that runs before the runtime has reported it: the thread that
// compiled it lets others call it first. Its code header is looked for below the pc, no farther than the
// nearest method that was reported; what is taken for one has to describe the very place it was found at.
//
// No allocation, every read is guarded: async-signal-safe. REQUIRES: inside the code map's ReaderGate.
#pragma once

#include <cstdint>

#include "unwind/code/jit_map.h"
#include "unwind/machine/memory.h"

namespace walkabout::unwind {

// How far from its neighbour code may lie: more is taken for stubs, which lie in heaps of their own.
inline constexpr uint64_t kNeighbourBytes = 32 * 1024;

struct UnreportedMethod {
  JitRegion region;  // without a code; its unwind data lies in info
  uint8_t info[4 + 2 * 255] = {};
};

// lookup: pc, or pc - 1 for a return address. False too where it was reported in this moment.
bool find_unreported(uint64_t lookup, const JitMap& jitted, const Memory& memory, UnreportedMethod* method);

}  // namespace walkabout::unwind
