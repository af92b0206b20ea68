// Who called a managed method: one step, from where the method itself has called, by what the code maps say.
// The caller is where the call returns to: of a tail call whoever called the method that made it.
//
// A caller that the runtime has hidden (hijack.h) is looked for where memory.runtime_thread says; unless it
// is found there is none, and never another. Pure over (Registers, Memory, CodeMap); async-signal-safe.
// REQUIRES: inside the code map's ReaderGate.
#pragma once

#include "unwind/machine/memory.h"
#include "unwind/machine/registers_x64.h"
#include "unwind/walk/walker.h"
#include "wire/frame.h"

namespace walkabout::unwind {

// method: of the managed method, its pc a return address. Frame(): it cannot be told. A managed caller costs
// no guarded read, but for frames that memory's bounds do not cover.
wire::Frame find_caller(const Registers& method, const Memory& memory, const CodeMap& code);

}  // namespace walkabout::unwind
