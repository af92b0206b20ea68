// Where a body's code goes on: its blocks, and how many ways lead to each. Pure; any thread. Source: ECMA-335
// III.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body.h"

namespace walkabout::il {

// One of two ways, or of several (switch).
inline bool is_conditional(Op op) {
  const auto code = static_cast<uint16_t>(op);
  return (code >= static_cast<uint16_t>(Op::kBrfalseS) && code <= static_cast<uint16_t>(Op::kBltUnS)) ||
         (code >= static_cast<uint16_t>(Op::kBrfalse) && code <= static_cast<uint16_t>(Op::kSwitch));
}

struct Flow {
  // By instruction; code.size(): the end. How many ways lead to the begin of a block; 0: none begins there. A
  // way of which it is not known who takes it (the method's begin, a handler's, behind `leave`) counts as
  // two.
  std::vector<uint32_t> ways;

  bool begins_block(size_t index) const { return ways[index] != 0; }
};

// What nothing leads to begins a block as well.
Flow flow_of(const Body& body);

// The arms of a conditional branch, first what it falls through to: indices of instructions. REQUIRES:
// is_conditional.
std::vector<uint32_t> arms_of(const Body& body, uint32_t index);

// The end of a way of `br`s.
uint32_t behind_jumps(const Body& body, uint32_t index);

}  // namespace walkabout::il
