// A CONTEXT's registers as the walker numbers them, and back. Pure. Include after win32.h.
#pragma once

#include "base/windows/win32.h"
#include "unwind/machine/registers_x64.h"

namespace walkabout::agent {

inline constexpr uint32_t kContextWithRip = 0x100;  // bytes of a CONTEXT that hold all we read

inline void registers_of(const CONTEXT& c, unwind::Registers* regs) {
  using namespace unwind;
  auto& r = regs->r;
  r[kRax] = c.Rax, r[kRcx] = c.Rcx, r[kRdx] = c.Rdx, r[kRbx] = c.Rbx;
  r[kRsp] = c.Rsp, r[kRbp] = c.Rbp, r[kRsi] = c.Rsi, r[kRdi] = c.Rdi;
  r[kR8] = c.R8, r[kR9] = c.R9, r[kR10] = c.R10, r[kR11] = c.R11;
  r[kR12] = c.R12, r[kR13] = c.R13, r[kR14] = c.R14, r[kR15] = c.R15;
  r[kRip] = c.Rip;
}

// What a caller's frame still has; the rest of *c stays.
inline void set_registers(const unwind::Registers& regs, CONTEXT* c) {
  using namespace unwind;
  const auto& r = regs.r;
  c->Rbx = r[kRbx], c->Rsp = r[kRsp], c->Rbp = r[kRbp], c->Rsi = r[kRsi], c->Rdi = r[kRdi];
  c->R12 = r[kR12], c->R13 = r[kR13], c->R14 = r[kR14], c->R15 = r[kR15];
  c->Rip = r[kRip];
}

}  // namespace walkabout::agent
