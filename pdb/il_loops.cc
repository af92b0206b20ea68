#include "pdb/il_loops.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "il/instruction_bytes.h"

namespace walkabout::pdb {
using precompiled::Bytes;

std::vector<Loop> loops_of(Bytes il) {
  std::vector<Loop> loops;
  il = il.first(std::min(il.size(), kMostLoopIl));
  for (size_t at = 0; at < il.size() && loops.size() < kMostLoops;) {
    const std::optional<size_t> size = il::instruction_size(il, at);
    if (!size) break;
    const size_t end = at + *size;
    const int64_t target = static_cast<int64_t>(end) + il::branch_distance(il, at);
    if (target >= 0 && target <= static_cast<int64_t>(at))
      loops.push_back({static_cast<uint32_t>(target), static_cast<uint32_t>(end)});
    at = end;
  }
  return loops;
}

}  // namespace walkabout::pdb
