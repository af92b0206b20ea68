// One step out of a managed frame: regs changes only when the step succeeds. Async-signal-safe.
#pragma once

#include "unwind/code/image_map.h"
#include "unwind/code/jit_map.h"
#include "unwind/code/managed_function.h"
#include "unwind/machine/memory.h"
#include "unwind/machine/registers_x64.h"
#include "wire/frame.h"

namespace walkabout::unwind {

enum class Step : uint8_t { kStepped, kRoot, kNoRule, kBadMemory };

// interrupted: pc is where the thread was stopped, not a return address; so it may lie in a prolog or an
// epilog.
Step step_jitted(const JitRegion& region, bool interrupted, Registers& regs, const Memory& memory);

// Source: the image's exception directory. A pc in none of its functions is a thunk: kNoRule (see
// stub_step.h).
Step step_ready_to_run(const Image& image, bool interrupted, Registers& regs, const Memory& memory);

// The same for any PE image; *machine_frame: the caller's pc is exact, an exception or an APC came there.
Step step_by_directory(const Image& image, bool interrupted, Registers& regs, const Memory& memory,
                       bool* machine_frame);

ManagedFunction jitted_function(const JitRegion& region);
// lookup: pc, or pc - 1 for a return address. False when no function holds it.
bool ready_to_run_function(const Image& image, uint64_t lookup, ManagedFunction* found);
// Does the function's rule hold at pc? An epilog is recognized by its instructions, which are read.
bool rule_holds(const ManagedFunction& function, uint64_t pc, bool interrupted, const Memory& memory);

}  // namespace walkabout::unwind
