// Instructions of IL where they lie: which, their sizes, and where branches lead. Hostile bytes. Pure; any
// thread. Source: ECMA-335 III.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/byte_span.h"
#include "il/opcode.h"

namespace walkabout::il {

// The code that begins at `at`; none: it is none, or cut off. Its operand need not be there.
std::optional<Op> op_at(base::Bytes il, size_t at);

// The instruction that begins at `at`; none: it is none, or cut off.
struct FoundInstruction {
  Op op;
  size_t size;  // bytes
};
std::optional<FoundInstruction> instruction_at(base::Bytes il, size_t at);

// Where it leads relative to the instruction behind it; 0: it is no branch. A switch, which goes back in no
// compiler's code, is none. op: of instruction_at().
int64_t branch_distance(base::Bytes il, size_t at, Op op);

}  // namespace walkabout::il
