// Single-steps a thread through what it does between two calls: a trap at every instruction, a walk at every
// trap. For tests only; no part of the agent that is installed.
//
// The trap flag makes the kernel send SIGTRAP on the same thread behind each instruction; it is saved in the
// signal's frame, so it is off in the handler and on again behind it. SIGTRAP belongs to the CLR too: what is
// no single step goes to the handler that was there. So is it in the handler of any signal: those that the
// thread's own instructions raise (SIGSEGV, SIGFPE) come here first, and what was there is called with the
// flag set again. Handlers of others (the runtime's request to stop) are not stepped through. Source:
// sigaction(2), Intel SDM vol. 3, 17.3.1.4.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cstdint>

#include "tests/step/signal_mask.h"
#include "tests/step/step_judge.h"

namespace walkabout::agent::step {

// Why stepping ended before its end was called.
enum class Stopped : uint8_t {
  kAtEnd,
  kBudget,
  kLost,  // no whole walk at the first instruction, or too deep
};

class Stepper {
 public:
  Stepper(const unwind::CodeMap& code, unwind::ReaderGate& gate) : judge_(code, gate) {}

  // The calling thread is stepped from here on, for at most `budget` instructions. runtime_thread: see
  // unwind::Memory. False when a thread is
  // being stepped already, or there is no handler to be had.
  bool begin(uint64_t budget, uint64_t runtime_thread = 0);
  // By the thread that began. Afterwards judge() and stopped() say what was found, until done().
  void end();
  void done();

  bool busy() const { return busy_.load(std::memory_order_relaxed); }
  Judge& judge() { return judge_; }
  Stopped stopped() const { return stopped_; }

 private:
  static void on_trap(int signal, siginfo_t* info, void* context);
  static void on_fault(int signal, siginfo_t* info, void* context);
  static void take_faults();
  // False: no more steps.
  bool step(ucontext_t* context);
  bool walk_at(const ucontext_t* context);

  Judge judge_;
  std::atomic<bool> busy_{false};
  uint64_t budget_ = 0;
  SignalMask signals_;
  Stopped stopped_ = Stopped::kAtEnd;
};

}  // namespace walkabout::agent::step
