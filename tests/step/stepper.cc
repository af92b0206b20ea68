#include "tests/step/stepper.h"

#include <errno.h>
#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "agent/linux/handler/chained_signal.h"
#include "agent/linux/own_stack.h"
#include "tests/step/instruction.h"
#include "tests/step/signal_mask.h"
#include "unwind/machine/signal_context_x64.h"

namespace walkabout::agent::step {
namespace {

constexpr uint64_t kTrapFlag = 0x100;

// Of the thread that is stepped. A thread it makes inherits the trap flag, but not this.
thread_local Stepper* t_stepper = nullptr;
struct sigaction g_previous;
constexpr int kFaults[] = {SIGSEGV, SIGFPE};
struct sigaction g_faults[std::size(kFaults)];  // what was there

void set_trap_flag() { __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | kTrapFlag); }
void clear_trap_flag() { __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~kTrapFlag); }

}  // namespace

void Stepper::take_faults() {
  for (size_t i = 0; i < std::size(kFaults); ++i) {
    struct sigaction current {};
    ::sigaction(kFaults[i], nullptr, &current);
    if (current.sa_sigaction == on_fault || (current.sa_flags & SA_SIGINFO) == 0)
      continue;  // nobody handles it
    g_faults[i] = current;
    current.sa_sigaction = on_fault;
    ::sigaction(kFaults[i], &current, nullptr);
  }
}

bool Stepper::begin(uint64_t budget, uint64_t runtime_thread) {
  if (busy_.exchange(true, std::memory_order_acquire)) return false;
  struct sigaction current {};
  ::sigaction(SIGTRAP, nullptr, &current);
  if (current.sa_sigaction != on_trap) {
    g_previous = current;
    struct sigaction ours {};
    ours.sa_sigaction = on_trap;
    ours.sa_flags = SA_SIGINFO;
    sigfillset(&ours.sa_mask);
    for (int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) sigdelset(&ours.sa_mask, fault);
    ::sigaction(SIGTRAP, &ours, nullptr);
  }
  take_faults();
  budget_ = budget;
  signals_ = {};
  stopped_ = Stopped::kAtEnd;
  judge_.begin(own_stack(), runtime_thread);
  t_stepper = this;
  set_trap_flag();
  return true;
}

void Stepper::end() {
  clear_trap_flag();
  t_stepper = nullptr;
}

void Stepper::done() { busy_.store(false, std::memory_order_release); }

// A flag that was saved while a thread was stepped may come back with restored registers, long after its end.
void Stepper::on_trap(int signal, siginfo_t* info, void* context) {
  if (info->si_code != TRAP_TRACE) return call_previous(g_previous, signal, info, context);
  const int saved_errno = errno;
  auto* interrupted = static_cast<ucontext_t*>(context);
  if (t_stepper == nullptr || !t_stepper->step(interrupted)) {
    t_stepper = nullptr;
    interrupted->uc_mcontext.gregs[REG_EFL] &= ~static_cast<greg_t>(kTrapFlag);
  }
  errno = saved_errno;
}

// Stepped through from the call on, if the thread was before.
void Stepper::on_fault(int signal, siginfo_t* info, void* context) {
  const struct sigaction& previous = g_faults[std::find(kFaults, std::end(kFaults), signal) - kFaults];
  if (t_stepper == nullptr) return call_previous(previous, signal, info, context);
  t_stepper->judge_.faulted(*static_cast<ucontext_t*>(context));
  set_trap_flag();
  call_previous(previous, signal, info, context);
  clear_trap_flag();
}

bool Stepper::walk_at(const ucontext_t* context) {
  if (judge_.figures().steps >= budget_) {
    stopped_ = Stopped::kBudget;
    return false;
  }
  if (judge_.at(unwind::registers_of(*context))) return true;
  stopped_ = Stopped::kLost;
  return false;
}

bool Stepper::step(ucontext_t* context) {
  if (!walk_at(context)) return false;
  const auto* code = reinterpret_cast<const uint8_t*>(context->uc_mcontext.gregs[REG_RIP]);
  if (code[0] != 0x0f || !is_syscall({code, 2}) || !signals_.emulate(context)) return true;
  return walk_at(context);
}

}  // namespace walkabout::agent::step
