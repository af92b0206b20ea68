// The return address that the CLR has taken off the stack, on Windows: see hijack.h, whose account of it
// holds here too. The slot then holds the first instruction of a routine of the runtime, and no call leaves
// the begin of a function for a return address.
//
// Pure over (Registers, Memory, PeCodeMap). REQUIRES: inside the maps' ReaderGate. Source: as hijack.h; the
// routine's address is that of its RUNTIME_FUNCTION in coreclr.dll (.NET 10).
#pragma once

#include <cstdint>
#include <span>

#include "unwind/managed/pe_walk.h"

namespace walkabout::unwind {

// Where the return address of `frame` was taken from; 0: it was not. frame: the topmost managed one.
uint64_t hijacked_slot(const Registers& frame, bool interrupted, const Memory& memory, const PeCodeMap& code);

// What was in the slot, by the words of the Thread object; 0 when they do not say. The two lie side by side,
// in either order.
uint64_t taken_from_slot(uint64_t slot, std::span<const uint64_t> thread, const PeCodeMap& code);

}  // namespace walkabout::unwind
