// What an instruction of IL does with a variable of its method, a local one or an argument. Hostile bytes.
// Pure; any thread. Source: ECMA-335 III.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "il/opcode.h"
#include "precompiled/bytes.h"

namespace walkabout::pdb {

struct VariableUse {
  enum class Kind : uint8_t { kLoads, kStores, kTakesAddress };
  uint32_t variable = 0;  // an argument's number, or a local variable's + kFirstLocal
  Kind kind = Kind::kLoads;
};
inline constexpr uint32_t kFirstLocal = 1 << 16;

// None: it does nothing with one. at, op: of il::instruction_at().
std::optional<VariableUse> variable_use(precompiled::Bytes il, size_t at, il::Op op);

}  // namespace walkabout::pdb
