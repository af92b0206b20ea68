// libcoreclr's context restorer (the runtime goes on elsewhere: on-stack replacement, a caught exception): it
// loads every register from a CONTEXT and jumps. Its CFI finds the frame by the caller's rbp, which it has
// pushed but not set, so the CFI is wrong as soon as the new rbp is loaded. The stack pointer is right until
// it is loaded too, last but the jump. Until then the callers are the old ones, at the jump those of the
// target.
//
// It calls nothing, so this matters where it was interrupted. Pure, async-signal-safe.
// Source: ClrRestoreNonvolatileContextWorker, src/coreclr/pal/src/arch/amd64/context2.S (.NET 8 to 10).
#pragma once

#include <cstdint>

#include "unwind/managed/managed_step.h"
#include "unwind/rule/cfi_rule.h"

namespace walkabout::unwind {

// Is this the restorer's rule? Nobody else's: a function that set rbp has at least two words above it.
inline bool by_callers_bp(const CfiRule& rule) {
  return rule.cfa.kind == CfaKind::kRegister && rule.cfa.reg == kRbp && rule.cfa.offset == 0;
}
inline bool by_callers_bp(const CompactRule& rule) {
  return rule.kind() == CompactRule::Kind::kPlain && rule.cfa_register() == kRbp && rule.cfa_offset() == 0;
}

// One step out of it, interrupted at regs.pc(). Reads the code there.
Step step_restoring(Registers& regs, const Memory& memory);

}  // namespace walkabout::unwind
