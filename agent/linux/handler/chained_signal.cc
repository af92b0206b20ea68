#include "agent/linux/handler/chained_signal.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace walkabout::agent {
namespace {

// The kernel's set of signals is the first word of the C library's.
uint64_t word_of(const sigset_t& set) {
  uint64_t word = 0;
  std::memcpy(&word, &set, sizeof word);
  return word;
}

constexpr uint64_t kTrapBit = uint64_t{1} << (SIGTRAP - 1);

void set_mask(uint64_t blocked) {
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &blocked, nullptr, sizeof blocked);
}

// The process ends of it, as it would have without a handler.
void end_of_it(const ucontext_t& context) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(SIGTRAP, &action, nullptr);
  ::syscall(SYS_tgkill, ::getpid(), ::syscall(SYS_gettid), SIGTRAP);
  set_mask(word_of(context.uc_sigmask) & ~kTrapBit);
}

}  // namespace

void pass_on_trap(struct sigaction* previous, siginfo_t* info, ucontext_t* context) {
  const struct sigaction before = *previous;
  const bool detailed = (before.sa_flags & SA_SIGINFO) != 0;
  if (!detailed && before.sa_handler == SIG_IGN && info->si_code <= 0) return;
  // What the CPU raises cannot be ignored.
  if (!detailed && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)) return end_of_it(*context);
  if ((before.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) {
    previous->sa_flags = 0;
    previous->sa_handler = SIG_DFL;
  }
  uint64_t blocked = word_of(context->uc_sigmask) | word_of(before.sa_mask);
  if ((before.sa_flags & SA_NODEFER) == 0) blocked |= kTrapBit;
  set_mask(blocked);  // the end of the handler sets the thread's own again
  call_previous(before, SIGTRAP, info, context);
}

}  // namespace walkabout::agent
