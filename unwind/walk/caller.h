// Who called a managed method: one step, from where the method itself has called, by what the code maps say.
// The caller is where the call returns to: of a tail call whoever called the method that made it.
//
// A caller that the runtime has hidden (hijack.h) is looked for where memory.runtime_thread says; unless it
// is found there is none, and never another. Pure over (Registers, Memory, CodeMap); async-signal-safe.
// REQUIRES: inside the code map's ReaderGate.
#pragma once

#include <cstdint>

#include "unwind/machine/memory.h"
#include "unwind/machine/registers_x64.h"
#include "unwind/walk/walker.h"
#include "wire/frame.h"

namespace walkabout::unwind {

struct FoundCaller {
  wire::Frame frame;     // Frame(): it cannot be told
  uint64_t slot = 0;     // of the stack, with the return address
  bool lasting = false;  // until CodeMap::generation changes, its return address stands for it
};

// method: of the managed method, its pc a return address. A managed caller costs no guarded read, but for
// frames that memory's bounds do not cover.
FoundCaller find_caller(const Registers& method, const Memory& memory, const CodeMap& code);

}  // namespace walkabout::unwind
