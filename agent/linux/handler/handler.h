// The signal handler: one tick of one thread's CPU clock becomes one record in that thread's ring.
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

#include "agent/shared/collecting_thread.h"
#include "unwind/code/reader_gate.h"
#include "unwind/walk/walker.h"
#include "wire/ring.h"

namespace walkabout::agent {

// What the agent keeps of one thread beside its shared slot.
// Owner of each field: [table] ThreadTable under its lock before arming; [handler] the thread's handler;
// [self] the thread itself outside the handler; [sampler] the sampler thread.
struct ThreadSlot {
  std::atomic<pid_t> tid{0};           // [table] 0 = free
  std::atomic<int> perf_fd{0};         // [table] of an armed thread; -1: its clock is a timer
  wire::SlotHeader* shared = nullptr;  // [table]
  unwind::WalkMemo* memo = nullptr;    // [table] the slot's, whatever thread has it; used by [handler]
  std::atomic<uint64_t> stack_lo{0};   // [table][sampler] bounds of the thread's stack; 0 = not known yet
  std::atomic<uint64_t> stack_hi{0};
  std::atomic<uint64_t> stack_end{0};  // [table][sampler] where it cannot grow beyond, for the thread to keep
                                       // at its next tick; 0 = not known
  std::atomic<uint64_t> wants_bounds{
      0};  // [handler] a stack pointer of this thread, for the sampler to look up
  std::atomic<uint64_t> thread_pointer{0};     // [handler] of a thread that wants them
  std::atomic<uint64_t> throttle_until_ns{0};  // [handler] of the thread's CPU clock
  std::atomic<uint8_t> in_jit{0};       // [self][handler] ticks that count as compiling; see is_compiling()
  std::atomic<bool> was_here{false};    // [table][handler] before us: its alternate stack is the runtime's
  bool clr_turn = false;                // [handler] with the oracle: the CLR walks first for the next sample
  std::atomic<bool> first_tick{false};  // [handler] the first period is random, then the interval is set
  // [handler] until the keeper has set it; the next slot that waits for that, by its index + 1.
  std::atomic<bool> wants_interval{false};
  std::atomic<uint32_t> next_wanting{0};
  std::atomic<uint64_t> clr_thread{
      0};  // [table] the CLR's Thread object (its ThreadID); 0: none, or not known
};

// in_jit: a compile that fails ends without an event, so that its mark would stay. Where the compiler's own
// frames are seen, few ticks fall outside of them; where they are not (single-file programs) there is no
// limit.
inline constexpr uint8_t kTicksAroundCompiler = 4;
inline constexpr uint8_t kAnyNumberOfTicks = 255;

// Of stack, that the handler takes at most with a walk of ours.
inline constexpr uint64_t kWalkBytes = 6 * 1024;

// The CLR's own walk on the interrupted registers, for --oracle. Fills `frames` with at most `capacity`
// frames. ours: the frames of our walk, leaf first; empty: the leaf is managed and ours is to come.
struct OracleAnswer {
  uint32_t hresult = 0;
  uint32_t frames = 0;
  uint32_t cycles = 0;
};
using OracleWalk = OracleAnswer (*)(const unwind::Registers& seed, const unwind::CodeMap& code,
                                    std::span<const wire::Frame> ours, wire::Frame* frames,
                                    uint32_t capacity);

// Who has the clocks open where the program's threads have not (the descriptor host): the first tick of a
// thread tells it so that it sets the interval. Sent with a signal that never reaches a handler.
struct ClockKeeper {
  pid_t pid = 0, tid = 0;  // 0: nobody, the handler sets it
  int signal = 0;
};

struct HandlerSetup {
  unwind::CodeMap code;
  // Until then managed code may run that the map was not told of (monotonic clock).
  const std::atomic<uint64_t>* unreported_until_ns = nullptr;
  const CollectingThread* collecting = nullptr;
  uint32_t depth = 2048;
  uint64_t interval_ns = 0;  // until set_tick_interval() says another
  OracleWalk oracle = nullptr;
  uint64_t tsc_per_ms = 0;  // of the time stamp counter
  ClockKeeper keeper;
};

inline constexpr uint32_t kMaxFds = 1u << 16;

// Where ticks find their thread, and the gate each enters before it looks. Both live as long as the library:
// a tick that comes late, when its recording is gone, finds no thread there and touches nothing else. Once a
// slot's tid is 0 and a grace period of the gate is over, nothing the slot led to is in use.
std::span<ThreadSlot, wire::kMaxSlots> thread_slots();
unwind::ReaderGate& tick_gate();

// Makes `setup` what every later tick uses. Before any clock is armed.
void set_handler(const HandlerSetup& setup);
// What threads whose first tick is still to come will tick at. Any thread.
void set_tick_interval(uint64_t interval_ns);
// The keeper's: sets the interval of the threads whose first tick came.
void set_wanted_intervals();
// Ticks of perf events that come as signals are told by their descriptor. fd >= kMaxFds is refused.
bool map_fd(int fd, uint32_t slot);
// From now on ticks are dropped as kStopping.
void stop_handler();
// The slot of the calling thread, if it has one.
ThreadSlot* current_slot();

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
