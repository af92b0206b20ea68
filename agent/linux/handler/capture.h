// Takes one sample: a stack, with what a source measured there, into a lane of a thread's ring. Apart from
// what makes it sample: the signal handler calls it for a tick, a source in the middle of a callback of the
// runtime's, or on a thread of its own for a thread that stands still.
//
// Each call is an attempt of its source and ends as a sample or as a counted drop; an event that its caller
// sums (Event::tallied) and that is not captured is neither. Walks take at most a sixth
// of a thread's time on each lane (with the oracle a half): what comes sooner is dropped as throttled. No
// lock, no allocation, no call into the CLR (but the oracle's): async-signal-safe. A tick that interrupts a
// capture has a lane and a memo of its own.
#pragma once

#include <x86intrin.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "agent/linux/handler/thread_slot.h"
#include "agent/shared/collecting_thread.h"
#include "agent/shared/event_record.h"
#include "agent/shared/heap_gate.h"
#include "agent/shared/heap_tables.h"
#include "agent/shared/owed_awaiters.h"
#include "base/clock.h"
#include "unwind/async/async_root.h"
#include "unwind/machine/registers_x64.h"
#include "unwind/walk/walker.h"
#include "wire/frame.h"
#include "wire/ring.h"

namespace walkabout::agent {

// Of stack, that a walk of ours takes at most with the handler's frames.
inline constexpr uint64_t kWalkBytes = 6 * 1024;

// The CLR's own walk of the calling thread from these registers on, for --oracle. Fills `frames` with at most
// `capacity` frames. ours: the frames of our walk, leaf first; empty: the leaf is managed and ours is to
// come.
struct OracleAnswer {
  uint32_t hresult = 0;
  uint32_t frames = 0;
  uint32_t cycles = 0;
};
// interrupted: in a handler; else in a callback of the runtime's.
using OracleWalk = OracleAnswer (*)(const unwind::Registers& seed, const unwind::CodeMap& code,
                                    std::span<const wire::Frame> ours, bool interrupted, wire::Frame* frames,
                                    uint32_t capacity);

// Of a stack, from its leaf, that are searched for the async method that was resumed.
inline constexpr uint32_t kAsyncFrames = OwedAwaiters::kMostStackPointers;

// Async stacks: the heap is read inside of the gate only.
struct AsyncSetup {
  unwind::AsyncKnowledge known;
  HeapGate& gate;
  const HeapTables& heap;
  OwedAwaiters& owed;
};
// awaiters: room for wire::kMostAwaiters. reads: the caller is inside of the gate, or the threads stand and
// nothing moves; else nothing of the heap is looked at. Async-signal-safe.
unwind::AsyncStack look_for_awaiters(const AsyncSetup& async, const unwind::WalkedStackView& stack,
                                     bool reads, std::span<wire::Frame> awaiters);
// Outside of the handler: the heap stands still again, and the threads do not run yet.
void answer_owed(const AsyncSetup& async);

struct CaptureSetup {
  unwind::CodeMap code;
  // Until then managed code may run that was not reported to the map (monotonic clock).
  const std::atomic<uint64_t>* unreported_until_ns = nullptr;
  const CollectingThread* collecting = nullptr;
  uint32_t depth = 2048;
  OracleWalk oracle = nullptr;
  AsyncSetup* async = nullptr;  // null: async stacks are not taken
  uint64_t tsc_per_ms = 0;      // of the time stamp counter
  // The agent is a library of its own, whose frames capture_here() leaves out.
  bool own_image = false;
};

// The calling thread, outside of the handler: from these registers on, or from whoever called the agent. An
// event with an attempt of its own. REQUIRES: ThreadTable::callback_slot() gave the slot to the calling
// thread.
Dropped capture(ThreadSlot& slot, const unwind::Registers& regs, const Event& event);
Dropped capture_here(ThreadSlot& slot, const Event& event);
// It would have been a sample of this source, outside of the handler.
void count_drop(ThreadSlot& slot, base::SourceId source, wire::DropCause cause);

// Of a stack that was taken from outside, as of unwind::AsyncStack.
struct Awaiters {
  uint32_t joint = 0;
  uint32_t unseen = 0;
  std::vector<wire::Frame> frames;  // at most wire::kMostAwaiters
};

// Another thread, as a source's thread found it: which one, and its stack, leaf first.
struct Subject {
  base::ThreadId thread;
  uint32_t samples = 0;  // of this source, that this thread captured of it before
  std::span<const wire::Frame> frames;
  wire::WalkEnd end = wire::WalkEnd::kRooted;
  uint8_t flags = 0;                   // wire::SampleFlag
  uint64_t time_ns = 0;                // CLOCK_MONOTONIC; never less than that of the sample before
  const Awaiters* awaiters = nullptr;  // null: nobody has looked for them
};
// REQUIRES: ThreadTable::add_writer() gave `writer` to the calling thread.
Dropped capture_about(ThreadSlot& writer, const Subject& subject, const Event& event);

// What a walk of such a stack needs. Valid inside of tick_gate().
const CaptureSetup& capture_setup();
// Whether the walk went through code that no JIT event reported: it cannot be trusted, nor named.
bool met_unreported_code(std::span<const wire::Frame> frames);

// The stack of the calling thread for somebody else, in its handler: no sample, and no attempt of a source.
struct WalkedStack {
  uint32_t frames = 0;
  wire::WalkEnd end = wire::WalkEnd::kNoUnwindInfo;
  uint8_t flags = 0;     // wire::SampleFlag
  bool trusted = false;  // false: there was no room for a walk, or it met code that was not reported
  // As of unwind::AsyncStack, where async stacks are taken.
  uint32_t async_joint = 0, async_unseen = 0, awaiters = 0;
};
struct StackRoom {
  std::span<wire::Frame> frames;
  std::span<wire::Frame, wire::kMostAwaiters> awaiters;
  std::span<uint64_t, kAsyncFrames> stack_pointers;
};
WalkedStack walk_for(ThreadSlot& slot, const unwind::Registers& regs, const StackRoom& room);

// The handler's. When its work began.
struct CaptureBegin {
  uint64_t cycles = __rdtsc();
  uint64_t cpu_ns = base::thread_cpu_ns();
  uint64_t clock_read = __rdtsc();
};
// The sample of a tick, whose value is the thread's CPU time since its last, and one of the rider that waits.
void capture_tick(ThreadSlot& slot, const unwind::Registers& regs, const CaptureBegin& begin);
// From now on all is dropped as kStopping, or is captured (again).
void stop_captures(bool stop);
bool captures_stopped();
void set_capture(const CaptureSetup& setup);

}  // namespace walkabout::agent
