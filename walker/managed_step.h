// One step out of a managed frame: regs changes only when the step succeeds. Async-signal-safe.
#pragma once

#include "walker/image_map.h"
#include "walker/jit_map.h"
#include "walker/memory.h"
#include "walker/registers_x64.h"
#include "wire/frame.h"

namespace walkabout::walker {

enum class Step : uint8_t { kStepped, kRoot, kNoRule, kBadMemory };

// interrupted: pc is where the thread was stopped, not a return address; so it may lie in a prolog or an
// epilog.
Step step_jitted(const JitPiece& piece, bool interrupted, Registers& regs, const Memory& memory);

// Source: the image's exception directory. A pc in none of its functions is a thunk: kNoRule (see
// stub_step.h).
Step step_ready_to_run(const Image& image, bool interrupted, Registers& regs, const Memory& memory);

// The same steps as rules. False when only running the codes will do: in a prolog or an epilog, for instance.
// lookup: pc, or pc - 1 for a return address.
bool jitted_rule(const JitPiece& piece, uint64_t pc, bool interrupted, CompactRule* rule);
bool ready_to_run_rule(const Image& image, uint64_t lookup, bool interrupted, CompactRule* rule);

}  // namespace walkabout::walker
