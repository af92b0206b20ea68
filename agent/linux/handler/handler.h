// The signal handler: one tick of one thread's CPU clock becomes one record in that thread's ring
// (agent/linux/handler/capture.h takes the sample).
//
// Async-signal-safe: no locks, no allocation, no CLR call (but the oracle's, when asked for), errno kept.
// Everything it uses is prepared before the first tick can come; tools/check_handler_symbols.py holds its
// archive to an allowlist.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "agent/linux/handler/capture.h"
#include "agent/linux/handler/thread_slot.h"
#include "unwind/code/reader_gate.h"
#include "wire/ring.h"

namespace walkabout::agent {

// Who has the clocks open where the program's threads have not (the descriptor host): the first tick of a
// thread tells it so that it sets the interval. Sent with a signal that never reaches a handler.
struct ClockOwner {
  pid_t pid = 0, tid = 0;  // 0: nobody, the handler sets it
  int signal = 0;
};

struct HandlerSetup : CaptureSetup {
  uint64_t interval_ns = 0;  // until set_tick_interval() says another
  ClockOwner clock_owner;
};

inline constexpr uint32_t kMaxFds = 1u << 16;

// Where ticks find their thread, and the gate each enters before it looks. Both live as long as the library:
// a tick that comes late, when its recording is gone, finds no thread there and touches nothing else. Once a
// slot's tid is 0 and a grace period of the gate is over, nothing the slot led to is in use.
std::span<ThreadSlot, wire::kMaxSlots> thread_slots();
inline uint32_t slot_number(const ThreadSlot& slot) {
  return static_cast<uint32_t>(&slot - thread_slots().data());
}
unwind::ReaderGate& tick_gate();

// Makes `setup` what every later tick uses. Before any clock is armed.
void set_handler(const HandlerSetup& setup);
// What threads whose first tick is still to come will tick at. Any thread.
void set_tick_interval(uint64_t interval_ns);
// The clock owner's: sets the interval of the threads whose first tick came.
void set_wanted_intervals();
// Ticks of perf events that come as signals are recognized by their descriptor. fd >= kMaxFds is refused.
bool map_fd(int fd, uint32_t slot);
// From now on ticks are dropped as kStopping.
void stop_handler();
// The slot of the calling thread, if it had a tick or keep_slot() was called.
ThreadSlot* current_slot();
// REQUIRES: the slot is the calling thread's.
void keep_slot(ThreadSlot* slot);

// Each thread keeps the end of its stack, this far from its thread pointer. The kernel's filter reads it
// there (base/linux/tick_filter.h), so that no tick comes where there is no room for one.
ptrdiff_t stack_end_at();
// Of the calling thread. 0: not known.
void keep_stack_end(uint64_t end);

// The handlers. `chain`: the disposition found at installation, called for signals that are not ours.
void on_tick(int signal, siginfo_t* info, void* context);
void set_chain(const struct sigaction& previous);
// Of SIGTRAP, which ticks inside system calls come as.
void on_trap(int signal, siginfo_t* info, void* context);
// The same, where what is no tick has the default action.
void on_late_trap(int signal, siginfo_t* info, void* context);
void set_trap_chain(const struct sigaction& previous);
// Ticks of base::kProbeSlot so far.
const std::atomic<uint64_t>& probe_ticks();

}  // namespace walkabout::agent
