#include "tests/step/signal_mask.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>

#include <cstring>

namespace walkabout::agent::step {
namespace {

constexpr uint64_t bit(int signal) { return uint64_t{1} << (signal - 1); }
constexpr uint64_t kSyscallSize = 2;

}  // namespace

bool SignalMask::emulate(ucontext_t* context) {
  greg_t* g = context->uc_mcontext.gregs;
  if (g[REG_RAX] != SYS_rt_sigprocmask) return false;
  uint64_t kernels = 0;  // the kernel's mask is the first word of libc's
  std::memcpy(&kernels, &context->uc_sigmask, sizeof kernels);
  const uint64_t before = kernels | (trap_blocked ? bit(SIGTRAP) : 0);
  uint64_t mask = before;
  int64_t result = 0;
  if (g[REG_R10] != sizeof mask) {
    result = -EINVAL;
  } else if (g[REG_RSI] != 0) {
    uint64_t set = 0;
    std::memcpy(&set, reinterpret_cast<const void*>(g[REG_RSI]), sizeof set);
    set &= ~(bit(SIGKILL) | bit(SIGSTOP));
    if (g[REG_RDI] == SIG_BLOCK)
      mask |= set;
    else if (g[REG_RDI] == SIG_UNBLOCK)
      mask &= ~set;
    else if (g[REG_RDI] == SIG_SETMASK)
      mask = set;
    else
      result = -EINVAL;
  }
  if (result == 0 && g[REG_RDX] != 0)
    std::memcpy(reinterpret_cast<void*>(g[REG_RDX]), &before, sizeof before);
  if (result == 0) {
    trap_blocked = (mask & bit(SIGTRAP)) != 0;
    mask &= ~bit(SIGTRAP);
    std::memcpy(&context->uc_sigmask, &mask, sizeof mask);
  }
  g[REG_RAX] = result;
  g[REG_RIP] += kSyscallSize;
  g[REG_RCX] = g[REG_RIP];
  g[REG_R11] = g[REG_EFL];
  return true;
}

}  // namespace walkabout::agent::step
