// The registers a signal interrupted, Linux x64. Async-signal-safe. Source: ucontext_t of <sys/ucontext.h>.
#pragma once

#include <ucontext.h>

#include "unwind/machine/registers_x64.h"

namespace walkabout::unwind {

inline Registers registers_of(const ucontext_t& context) {
  // REG_* of this context by DWARF number.
  constexpr int kGregs[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                            REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  Registers regs;
  for (int i = 0; i < kRegCount; ++i) regs.r[i] = static_cast<uint64_t>(context.uc_mcontext.gregs[kGregs[i]]);
  return regs;
}

}  // namespace walkabout::unwind
