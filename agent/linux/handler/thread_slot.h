// What the agent keeps of a thread beside its slot in the rings.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "agent/linux/handler/rider.h"
#include "agent/linux/handler/throttle.h"
#include "unwind/walk/walk_memo.h"
#include "wire/ring.h"

namespace walkabout::agent {

// What the agent keeps of one thread beside its shared slot.
// Owner of each field: [table] ThreadTable under its lock before arming; [handler] the thread's handler;
// [self] the thread itself outside the handler; [sampler] the sampler thread; [source] the thread of a
// source.
struct ThreadSlot {
  // What each tick reads comes first: as few cache lines as can be.
  std::atomic<pid_t> tid{0};           // [table] 0 = free
  std::atomic<int> perf_fd{0};         // [table] of an armed thread, may change; -1: its clock is a timer
  wire::SlotHeader* shared = nullptr;  // [table]
  unwind::WalkMemo* memo = nullptr;    // [table] the slot's, whatever thread has it; used by [handler]
  std::atomic<uint64_t> stack_lo{0};   // [table][sampler] bounds of the thread's stack; 0 = not known yet
  std::atomic<uint64_t> stack_hi{0};
  Throttle throttle;  // [handler] of walks by ticks
  std::atomic<uint64_t> clr_thread{
      0};                             // [table] the CLR's Thread object (its ThreadID); 0: none, or not known
  std::atomic<uint8_t> in_jit{0};     // [self][handler] ticks that count as compiling; see is_compiling()
  std::atomic<bool> was_here{false};  // [table][handler] before us: its alternate stack is the runtime's
  bool clr_turn = false;              // [handler] with the oracle: the CLR walks first for the next sample
  std::atomic<bool> first_tick{false};  // [handler] the first period is random, then the interval is set
  // [handler] until the clock owner has set it; the next slot that waits for that, by its index + 1.
  std::atomic<bool> wants_interval{false};
  std::atomic<uint8_t> asked{0};       // others' requests for its stack, a bit each (asked_stack.h)
  bool callback_refused = false;       // [self] there is no memory for callback_ring
  std::atomic<uint64_t> stack_end{0};  // [table][sampler] where it cannot grow beyond, for the thread to keep
                                       // at its next tick; 0 = not known
  Rider rider;                         // [handler][source]
  std::atomic<uint32_t> next_wanting{0};
  std::atomic<uint64_t> wants_bounds{
      0};  // [handler] a stack pointer of this thread, for the sampler to look up
  std::atomic<uint64_t> thread_pointer{0};  // [handler] of a thread that wants them
  // Of samples that the thread takes outside of the handler (wire::Lane::kCallback). [table] null until it
  // has one; used by [self].
  uint8_t* callback_ring = nullptr;
  unwind::WalkMemo* callback_memo = nullptr;
  Throttle callback_throttle;
};

// in_jit: a compile that fails ends without an event, so that its mark would stay. Where the compiler's own
// frames are seen, few ticks fall outside of them; where they are not (single-file programs) there is no
// limit.
inline constexpr uint8_t kTicksAroundCompiler = 4;
inline constexpr uint8_t kAnyNumberOfTicks = 255;

}  // namespace walkabout::agent
