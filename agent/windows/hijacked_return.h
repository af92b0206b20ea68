// The return address of a thread's topmost managed frame where the runtime has taken it off the stack
// (unwind/managed/pe_hijack.h): what it was, read from the CLR's Thread object. No allocation, no lock; takes
// 0.6 KiB of stack.
#pragma once

#include <cstdint>

#include "clr/abi/types.h"
#include "unwind/managed/pe_walk.h"

namespace walkabout::agent {

struct HijackedReturn {
  uint64_t slot = 0;  // where it was taken from; 0: it was not, or what it was is not known
  uint64_t original = 0;
};
// clr: the thread's object; 0: not known. interrupted: the frame's pc is exact, no return address. REQUIRES:
// inside the maps' ReaderGate; the thread stands, or is the calling one.
HijackedReturn hijacked_return(const unwind::Registers& topmost, bool interrupted, clr::ThreadID clr,
                               const unwind::Memory& memory, const unwind::PeCodeMap& code);

}  // namespace walkabout::agent
