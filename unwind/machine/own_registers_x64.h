// The registers of the code this is put into, as of this place. Async-signal-safe. A walk from them is right
// until the function returns: its frame has to be there. Only what a callee must preserve is taken, which is
// all that a caller can be found by (System V AMD64 ABI, section 3.2.1).
#pragma once

#include "unwind/machine/registers_x64.h"

namespace walkabout::unwind {

__attribute__((always_inline)) inline Registers own_registers() {
  Registers regs;
  asm volatile(
      "movq %%rbx, %[rbx]\n\t"
      "movq %%rbp, %[rbp]\n\t"
      "movq %%rsp, %[rsp]\n\t"
      "movq %%r12, %[r12]\n\t"
      "movq %%r13, %[r13]\n\t"
      "movq %%r14, %[r14]\n\t"
      "movq %%r15, %[r15]\n\t"
      "leaq 0(%%rip), %%rax\n\t"
      "movq %%rax, %[rip]"
      : [rbx] "=m"(regs.r[kRbx]), [rbp] "=m"(regs.r[kRbp]), [rsp] "=m"(regs.r[kRsp]),
        [r12] "=m"(regs.r[kR12]), [r13] "=m"(regs.r[kR13]), [r14] "=m"(regs.r[kR14]),
        [r15] "=m"(regs.r[kR15]), [rip] "=m"(regs.r[kRip])
      :
      : "rax");
  return regs;
}

}  // namespace walkabout::unwind
