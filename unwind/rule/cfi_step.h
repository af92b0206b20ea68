// Applies a CFI rule: the registers of a frame become those of its caller.
//
// Pure, no allocation, async-signal-safe. Registers are only changed when the step succeeds. Whether the walk
// makes progress (the stack pointer grows) is for the caller to judge: setcontext and coroutines move it
// anywhere.
#pragma once

#include <cstdint>

#include "unwind/machine/memory.h"
#include "unwind/machine/registers.h"
#include "unwind/rule/cfi_rule.h"

namespace walkabout::unwind {

enum class StepStatus : uint8_t {
  kOk,
  kOutermost,      // the rule says there is no caller: the thread's entry
  kNoRule,         // the rule is none, or does not say where the return address is
  kBadMemory,      // a saved register or the return address lies in memory that cannot be read
  kBadExpression,  // an expression is malformed or does not end
};

// regs.pc() must be the frame's own pc: PLT expressions look at it. On kOk it is the return address (behind a
// signal frame: the interrupted pc, see CfiRule::signal_frame).
StepStatus cfi_step(const CfiRule& rule, Registers& regs, const Memory& memory);
StepStatus cfi_step(const CompactRule& rule, Registers& regs, const Memory& memory);

}  // namespace walkabout::unwind
