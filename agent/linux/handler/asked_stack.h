// A stack that a thread of the agent's asks another, running thread for. That one gets a tick of its own for
// it (ThreadTable::open_asking_clock), whose handler walks and leaves the stack here; it is no attempt of any
// source.
//
// An entry is its claimer's from claim_asked() to free_asked(); in between the handler of the thread that was
// asked writes it. A tick that comes when its entry is another's finds that it is another thread's, and walks
// nothing. Entries live as long as the library. Async-signal-safe, no lock.
//
// A stack may be wanted only while a word of memory has a value that nobody but this thread changes: the
// owner of a lock that it holds. The thread's own handler reads it, so it cannot change meanwhile.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "agent/linux/handler/capture.h"
#include "agent/linux/handler/thread_slot.h"
#include "wire/frame.h"
#include "wire/records.h"

namespace walkabout::agent {

inline constexpr uint32_t kMostAsked = 4;
inline constexpr uint32_t kAskedDepth = 1024;  // frames; of deeper stacks the middle is left out
// What stands in a tick's data in place of a slot: this, and the entry's number.
inline constexpr uint32_t kAskedTick = 0xfffffff0;
static_assert(kMostAsked <= 8, "ThreadSlot::asked has a bit for each");
static_assert(kMostAsked < 15, "the last number is base::kProbeSlot");

// The word, of 32 bits; at 0: no condition.
struct AskedWhile {
  uint64_t at = 0;
  uint32_t is = 0;
};

struct AskedStack {
  enum State : uint32_t { kFree, kAsked, kWalks, kWalked, kRefused };

  std::atomic<State> state{kFree};
  std::atomic<pid_t> tid{0};      // who is asked
  std::atomic<uint32_t> slot{0};  // and its slot
  std::atomic<uint64_t> while_at{0};
  std::atomic<uint32_t> while_is{0};
  // Once it is kWalked:
  uint32_t frames = 0;
  wire::WalkEnd end{};
  uint8_t flags = 0;     // wire::SampleFlag
  uint64_t time_ns = 0;  // CLOCK_MONOTONIC
  std::array<wire::Frame, kAskedDepth> frame{};
  uint32_t async_joint = 0, async_unseen = 0, awaiters = 0;  // as of WalkedStack
  std::array<wire::Frame, wire::kMostAwaiters> awaiter{};
  std::array<uint64_t, kAsyncFrames> stack_pointer{};  // for the handler
};

// An entry for a thread that has this slot; null: all are in use. Any thread.
AskedStack* claim_asked(pid_t tid, uint32_t slot, const AskedWhile& condition = {});
uint32_t asked_tick(const AskedStack& entry);
// The claimer's, when the clock is closed. An entry that is being written stays out of use until that is
// done.
void free_asked(AskedStack& entry);

// The handler's. False: the tick is none of these. REQUIRES: inside the gate.
bool answer_asked(const siginfo_t& info, const ucontext_t& context);
// In any other tick of the thread: the kernel keeps one SIGTRAP of those that come together.
void answer_all_asked(ThreadSlot& slot, const ucontext_t& context);

}  // namespace walkabout::agent
