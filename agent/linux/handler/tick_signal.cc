#include "agent/linux/handler/tick_signal.h"

#include <string.h>
#include <sys/auxv.h>

#include <atomic>

#include "agent/linux/handler/handler.h"
#include "base/linux/tick_filter.h"
#include "base/system_error.h"
#include "wire/tick_signals.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

namespace walkabout::agent {
namespace {

// Of 12 KB; our handler takes up to 4.
constexpr unsigned long kMostFrameBytes = 6 * 1024;

bool g_shared = false;                     // with a handler of the program's
std::atomic<bool> g_trap_was_put = false;  // on_trap, and not taken away
struct sigaction g_before_trap;

bool is_free(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

// A tick must not be interrupted. But a fault in the handler must reach the runtime's handlers, not kill
// silently.
sigset_t all_but_faults() {
  sigset_t set;
  sigfillset(&set);
  for (int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP}) sigdelset(&set, fault);
  return set;
}

using Handler = void (*)(int, siginfo_t*, void*);

bool stands(int signal, Handler handler) {
  struct sigaction now {};
  return ::sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
         now.sa_sigaction == handler;
}

// The first that nobody handles; 0: none.
int free_signal(struct sigaction* previous) {
  for (const auto& [candidate, name] : wire::kTickSignals) {
    if (::sigaction(candidate, nullptr, previous) == 0 && is_free(*previous)) return candidate;
  }
  return 0;
}

// on_stack: SA_ONSTACK or 0. previous: takes what stood there; may be null.
bool put(int signal, Handler handler, int on_stack, struct sigaction* previous = nullptr) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_RESTART | on_stack;
  action.sa_mask = all_but_faults();
  return ::sigaction(signal, &action, previous) == 0;
}

bool put_before(int signal, const struct sigaction& previous, int on_stack = 0) {
  set_chain(previous);
  return put(signal, on_tick, on_stack);
}

}  // namespace

base::Result<TickSignal> install_tick_handler() {
  TickSignal chosen{wire::kSharedTickSignal.number, ""};
  if (g_shared && tick_handler_in_place(chosen.number)) return chosen;  // of an earlier recording
  struct sigaction previous {};
  const int free_one = free_signal(&previous);
  const bool found = free_one != 0;
  if (found) {
    chosen.number = free_one;
  } else {
    ::sigaction(chosen.number, nullptr, &previous);
    chosen.note = std::string("every signal walkabout could use has a handler; ") +
                  wire::kSharedTickSignal.name +
                  " is shared with the program's (signals that are not ticks are passed on)";
  }
  g_shared = !found;
  if (!put_before(chosen.number, previous)) return base::system_error("cannot install a signal handler");
  return chosen;
}

int move_tick_handler(int taken) {
  struct sigaction takers {
  }, previous{};
  ::sigaction(taken, nullptr, &takers);
  const int on_stack = takers.sa_flags & SA_ONSTACK;
  if (on_stack != 0 && ::getauxval(AT_MINSIGSTKSZ) > kMostFrameBytes) return 0;
  const int number = free_signal(&previous);
  if (number == 0 || !put_before(number, previous, on_stack)) return 0;
  g_shared = false;
  return number;
}

void remove_tick_handler(int signal) {
  if (g_shared || !tick_handler_in_place(signal)) return;
  struct sigaction before {};
  before.sa_handler = SIG_IGN;  // takes pending ones back, which may be deadly by default
  ::sigaction(signal, &before, nullptr);
  before.sa_handler = SIG_DFL;  // only a signal that has it is taken alone
  ::sigaction(signal, &before, nullptr);
}

bool tick_handler_in_place(int signal) { return stands(signal, on_tick); }

base::Status install_trap_handler() {
  if (trap_handler_in_place()) return {};
  struct sigaction before {};
  if (::sigaction(SIGTRAP, nullptr, &before) != 0) return base::system_error("sigaction");
  if (stands(SIGTRAP, on_late_trap)) before = {};  // which it stands for
  if (g_trap_was_put && !is_free(before))
    return base::Status::error("the program has put a handler of its own for SIGTRAP");
  g_before_trap = before;
  set_trap_chain(before);
  if (!put(SIGTRAP, on_trap, before.sa_flags & SA_ONSTACK)) return base::system_error("sigaction");
  g_trap_was_put = true;
  return {};
}

void catch_late_traps() {
  struct sigaction now {
  }, previous{};
  if (!g_trap_was_put || ::sigaction(SIGTRAP, nullptr, &now) != 0 || !is_free(now)) return;
  if (!put(SIGTRAP, on_late_trap, 0, &previous) || is_free(previous)) return;
  if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction == on_late_trap)
    return;                                  // by another thread
  ::sigaction(SIGTRAP, &previous, nullptr);  // put there in this moment
}

void (*wake_handler())(int, siginfo_t*, void*) {
  return !g_shared && tick_handler_in_place(base::kLateTrapSignal) ? on_tick : nullptr;
}

base::TickStack tick_stack() {
  constexpr unsigned long kRedZone = 128;  // the kernel's frame lies below it
  return {static_cast<int32_t>(stack_end_at()),
          static_cast<int32_t>(kRedZone + ::getauxval(AT_MINSIGSTKSZ) + kWalkBytes)};
}

void remove_trap_handler() {
  if (!trap_handler_in_place()) return;
  ::sigaction(SIGTRAP, &g_before_trap, nullptr);
  g_trap_was_put = false;
}

bool trap_handler_in_place() { return stands(SIGTRAP, on_trap); }

}  // namespace walkabout::agent
