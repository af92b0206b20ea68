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
    const auto found = il::instruction_at(il, at);
    if (!found) break;
    const size_t end = at + found->size;
    const int64_t target = static_cast<int64_t>(end) + il::branch_distance(il, at, found->op);
    if (target >= 0 && target <= static_cast<int64_t>(at))
      loops.push_back({static_cast<uint32_t>(target), static_cast<uint32_t>(end)});
    at = end;
  }
  return loops;
}

}  // namespace walkabout::pdb
