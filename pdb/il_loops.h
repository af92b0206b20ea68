// The loops of a method's IL: from where a branch leads back to, to the end of that branch. Hostile bytes.
// Pure; any thread. Source: ECMA-335 III (instructions and the sizes of their operands).
#pragma once

#include <cstdint>
#include <vector>

#include "precompiled/bytes.h"

namespace walkabout::pdb {

struct Loop {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const Loop&) const = default;
};

inline constexpr size_t kMostLoops = 1024;      // of a method: of more nothing is said
inline constexpr size_t kMostLoopIl = 1 << 20;  // bytes of IL that are looked at

// By end. Those behind the bounds, or behind something that is no instruction, are left out.
std::vector<Loop> loops_of(precompiled::Bytes il);

}  // namespace walkabout::pdb
