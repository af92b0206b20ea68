// Which statements take an array's next element, as those of a foreach do: such a read costs next to nothing,
// because the processor has it before it is asked for. Hostile bytes. Pure; any thread. Source: ECMA-335 III.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "pdb/il_loops.h"
#include "precompiled/bytes.h"

namespace walkabout::pdb {

// Of one method. The IL must outlive it.
class ElementReads {
 public:
  static constexpr size_t kMostSteps =
      1 << 20;  // loops, and instructions of theirs, that are looked at: then false

  // loops: loops_of(il).
  ElementReads(precompiled::Bytes il, std::vector<Loop> loops) : il_(il), loops_(std::move(loops)) {}

  // The statement [begin, end) reads an element of 8 bytes at most, of an array and at an index that are
  // variables, and may store it in another. The innermost loop that it is in does with the index nothing but
  // count it up by one, and with the array nothing that changes the variable.
  bool is_next(size_t begin, size_t end);

 private:
  bool is_walk(const Loop& loop, uint32_t array, uint32_t index);

  precompiled::Bytes il_;
  std::vector<Loop> loops_;
  size_t steps_left_ = kMostSteps;
};

}  // namespace walkabout::pdb
