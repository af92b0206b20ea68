// Instructions of IL: their sizes and where branches lead. Hostile bytes. Pure; any thread. Source: ECMA-335
// III.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "precompiled/bytes.h"

namespace walkabout::pdb {

inline constexpr uint8_t kLeave = 0xdd, kLeaveShort = 0xde;

// Bytes of the instruction that begins at `at`; none: it is none, or cut off.
std::optional<size_t> instruction_size(precompiled::Bytes il, size_t at);

// Where it leads relative to the instruction behind it; 0: it is no branch. A switch, which goes back in no
// compiler's code, is none. REQUIRES: instruction_size().
int64_t branch_distance(precompiled::Bytes il, size_t at);

}  // namespace walkabout::pdb
