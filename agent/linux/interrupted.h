// The registers a signal interrupted. Async-signal-safe. Source: ucontext_t of <sys/ucontext.h>.
#pragma once

#include <ucontext.h>

#include "walker/registers_x64.h"

namespace walkabout::agent {

inline walker::Registers registers_of(const ucontext_t* context) {
  using namespace walker;
  const greg_t* g = context->uc_mcontext.gregs;
  Registers r;
  const struct {
    uint8_t to;
    int from;
  } map[] = {{kRax, REG_RAX}, {kRdx, REG_RDX}, {kRcx, REG_RCX}, {kRbx, REG_RBX}, {kRsi, REG_RSI},
             {kRdi, REG_RDI}, {kRbp, REG_RBP}, {kRsp, REG_RSP}, {kR8, REG_R8},   {kR9, REG_R9},
             {kR10, REG_R10}, {kR11, REG_R11}, {kR12, REG_R12}, {kR13, REG_R13}, {kR14, REG_R14},
             {kR15, REG_R15}, {kRip, REG_RIP}};
  for (const auto& m : map) r.r[m.to] = static_cast<uint64_t>(g[m.from]);
  return r;
}

}  // namespace walkabout::agent
