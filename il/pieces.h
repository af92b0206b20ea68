// Code to be put into bodies. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "il/insertion.h"

namespace walkabout::il {

// Adds 1 to the 64 bits at this address, not atomically: what other threads add meanwhile may be lost.
Piece count_at(uint64_t address);

// Puts 1 into the byte at this address. It begins with the address (ldc.i8).
Piece mark_at(uint64_t address);
inline constexpr size_t kMarkSize = 11;  // its bytes

// Calls a function at this address, with 64-bit numbers of these values. signature: the token of a signature
// of that function, which returns nothing. Of a function without transition (tracing needs one): it must not
// block, nor call back.
Piece call_native(uint64_t address, std::span<const uint64_t> arguments, uint32_t signature);

// To and from a local variable.
Instruction store_local(uint16_t index);
Instruction load_local(uint16_t index);

}  // namespace walkabout::il
