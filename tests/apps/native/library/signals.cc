// Signal handlers, alternate stacks and masks of its own, on a thread the runtime has its own alternate stack
// on.
#include <pthread.h>

#include <csignal>
#include <cstdlib>

#include "hostile.h"

namespace {

constexpr size_t kStackBytes = 16 * 1024;  // twice the classic SIGSTKSZ
thread_local volatile int t_seen = 0;
thread_local volatile bool t_on_alternate = false;
thread_local stack_t t_alternate;

void on_signal(int, siginfo_t*, void*) {
  int local = 0;
  const auto at = reinterpret_cast<uintptr_t>(&local);
  const auto base = reinterpret_cast<uintptr_t>(t_alternate.ss_sp);
  t_on_alternate = at >= base && at < base + kStackBytes;
  hostile::burn(1, 20'000);
  t_seen = t_seen + 1;
}

// SIGUSR2 and a real-time signal nobody else has asked for.
bool install(int signal) {
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  return ::sigaction(signal, &action, nullptr) == 0;
}

int raise_with_mask(int signal) {
  sigset_t all, before;
  ::sigfillset(&all);
  if (::pthread_sigmask(SIG_BLOCK, &all, &before) != 0) return 1;
  const int seen = t_seen;
  ::pthread_kill(::pthread_self(), signal);
  hostile::burn(2, 50'000);  // ticks pile up behind the mask too
  const bool early = t_seen != seen;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return early || t_seen != seen + 1 ? 2 : 0;
}

}  // namespace

HOSTILE int hostile_signals(int times) {
  static const bool installed = install(SIGUSR2) && install(SIGRTMAX - 3);
  if (!installed) return 1;
  for (int i = 0; i < times; ++i) {
    const int signal = i % 2 == 0 ? SIGUSR2 : SIGRTMAX - 3;
    stack_t before;
    t_alternate = {};
    t_alternate.ss_sp = std::malloc(kStackBytes);
    t_alternate.ss_size = kStackBytes;
    if (t_alternate.ss_sp == nullptr || ::sigaltstack(&t_alternate, &before) != 0) return 2;
    const int seen = t_seen;
    ::raise(signal);
    const bool right = t_seen == seen + 1 && t_on_alternate && raise_with_mask(signal) == 0;
    if (::sigaltstack(&before, nullptr) != 0) return 3;
    std::free(t_alternate.ss_sp);
    if (!right) return 4;
  }
  return 0;
}
