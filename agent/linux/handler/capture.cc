#include "agent/linux/handler/capture.h"

#include <errno.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "agent/linux/handler/handler.h"
#include "agent/linux/handler/self_memory.h"
#include "agent/linux/handler/stack_end.h"
#include "base/hot.h"
#include "unwind/machine/own_registers_x64.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

// A walk that cost c is not followed by another within 6c of its begin: walks take a sixth of the thread's
// time at most (throttle.h). With the oracle half of it: two walks, one of them slow, but the program has to
// get on.
constexpr uint64_t kThrottleFactor = 6;
constexpr uint64_t kOracleThrottleFactor = 2;
// Cycles after which the thread may have been switched out in the handler, so that its CPU clock must tell
// the cost.
constexpr uint64_t kSuspiciousPerMs = 20;  // a twentieth of a millisecond; a cold tick takes a fifth of that
// Reading a thread's CPU clock brings the scheduler's accounts up to date, and on a busy machine every other
// time it switches threads then, as it would at its own next tick. Longer than this reading takes never.
constexpr uint64_t kClockReadPerMs = 200;
constexpr uint32_t kOracleFrames = 2048;
constexpr uint64_t kClrWalkBytes = 48 * 1024;  // of stack, that the CLR's walk takes at most

// Written before the first sample, then read only (but for the map).
CaptureSetup g_setup;
std::atomic<bool> g_stopping{false};

using wire::add_alone;

// False while the bounds are unknown, and on another stack, as a signal's.
bool on_own_stack(const ThreadSlot& slot, uint64_t sp) {
  const uint64_t hi = slot.stack_hi.load(std::memory_order_acquire);  // partner: where the bounds are set
  return hi != 0 && sp >= slot.stack_lo.load(std::memory_order_relaxed) && sp < hi;
}

WALKABOUT_HOT unwind::Memory memory_of(ThreadSlot& slot, uint64_t sp) {
  unwind::Memory memory;
  memory.slow = read_self;
  memory.runtime_thread = slot.clr_thread.load(std::memory_order_relaxed);
  if (on_own_stack(slot, sp)) {
    memory.lo = sp - unwind::kRedZone;
    memory.hi = slot.stack_hi.load(std::memory_order_relaxed);
  } else if (slot.stack_hi.load(std::memory_order_relaxed) == 0) {
    slot.thread_pointer.store(reinterpret_cast<uint64_t>(__builtin_thread_pointer()),
                              std::memory_order_relaxed);
    slot.wants_bounds.store(sp, std::memory_order_release);  // partner: Sampler::find_stacks
  }
  return memory;
}

// The seed of the CLR's walk and when it is asked: before ours or behind it, by turns, so that each at times
// is the first to touch the stack. Before ours it can only begin where the thread was interrupted; and it
// needs more stack than an alternate one may have left, be it the interrupted code's or the handler's.
bool has_room_for_clr(const ThreadSlot& slot, uint64_t sp) {
  return on_own_stack(slot, sp) && has_room(kClrWalkBytes) &&
         on_own_stack(slot, reinterpret_cast<uint64_t>(__builtin_frame_address(0)));
}

bool clr_goes_first(const ThreadSlot& slot, const unwind::Registers& regs) {
  return g_setup.oracle != nullptr && slot.clr_turn && has_room_for_clr(slot, regs.sp()) &&
         unwind::name_address(g_setup.code, regs.pc(), true).managed();
}

void request_clr_walk(const unwind::Registers& seed, wire::OracleState state,
                      std::span<const wire::Frame> ours, bool interrupted, wire::RawSample* sample,
                      wire::Frame* frames) {
  const OracleAnswer answer = g_setup.oracle(seed, g_setup.code, ours, interrupted, frames, kOracleFrames);
  sample->oracle = static_cast<uint8_t>(state);
  sample->hresult = answer.hresult;
  sample->clr_frames = answer.frames;
  sample->clr_cycles = answer.cycles;
}

// The CLR's frames lie behind ours, wherever they were put.
void add_clr_frames(ThreadSlot& slot, const unwind::Registers& leaf, const unwind::WalkOutcome& outcome,
                    const wire::Frame* requested_first, bool interrupted, wire::RawSample* sample,
                    wire::Frame* to) {
  if (requested_first != nullptr &&
      static_cast<wire::OracleState>(sample->oracle) == wire::OracleState::kRequestedFirst) {
    std::memmove(to, requested_first, sample->clr_frames * sizeof *to);
  } else if (outcome.saw_managed && has_room_for_clr(slot, leaf.sp())) {
    request_clr_walk(outcome.first_managed, wire::OracleState::kRequested, {to - sample->frames, to},
                     interrupted, sample, to);
  } else {
    sample->oracle = static_cast<uint8_t>(wire::OracleState::kNoSeed);
  }
}

// Whether the thread compiles a method. Managed code that the compiler did not call has left it.
bool is_compiling(ThreadSlot& slot, const unwind::WalkOutcome& outcome, wire::Frame leaf) {
  if (outcome.jit_compiler) return true;
  const bool managed = leaf.managed() || leaf.kind() == wire::FrameKind::kUnreported;
  const uint8_t ticks = managed ? 0 : slot.in_jit.load(std::memory_order_relaxed);
  if (ticks != kAnyNumberOfTicks)
    slot.in_jit.store(ticks == 0 ? 0 : static_cast<uint8_t>(ticks - 1), std::memory_order_relaxed);
  return ticks != 0;
}

// A compile that is under way tells in the callbacks' lane as little as it can be told: their ticks do not
// count.
bool is_compiling_outside(const ThreadSlot& slot, const unwind::WalkOutcome& outcome) {
  return outcome.jit_compiler || slot.in_jit.load(std::memory_order_relaxed) == kAnyNumberOfTicks;
}

// One sample that is being taken.
struct Shot {
  ThreadSlot& slot;
  const unwind::Registers& regs;
  wire::Lane lane;
  unwind::WalkMemo* memo;

  bool by_tick() const { return lane == wire::Lane::kHandler; }
  bool requests_clr_walk() const { return g_setup.oracle != nullptr; }
};

// But for compiling, which depends on the lane.
WALKABOUT_HOT uint8_t flags_of(const ThreadSlot& slot, const unwind::WalkOutcome& outcome,
                               const unwind::FrameSink& sink) {
  uint8_t flags = 0;
  if (g_setup.collecting != nullptr && g_setup.collecting->is(slot.tid.load(std::memory_order_relaxed)))
    flags |= static_cast<uint8_t>(wire::SampleFlag::kInGc);
  if (sink.left_out()) flags |= static_cast<uint8_t>(wire::SampleFlag::kLeftOut);
  if (outcome.jit_compiler) flags |= static_cast<uint8_t>(wire::SampleFlag::kInJit);
  return flags;
}

// Of one sample: our frames, and with --oracle those of the CLR's walk. Behind them those that await.
uint32_t most_frames() { return g_setup.depth + (g_setup.oracle != nullptr ? kOracleFrames : 0); }
// The same, and what is needed to find those.
uint32_t most_words() {
  return most_frames() + (g_setup.async != nullptr ? wire::kMostAwaiters + kAsyncFrames : 0);
}

// Who awaits the innermost async method that was resumed. slot: null of another thread's stack. Of a thread
// that stands while the heap may move it is found when it goes on.
__attribute__((noinline)) unwind::AsyncStack find_awaiters(const unwind::WalkedStackView& stack,
                                                           const ThreadSlot* slot, wire::Frame* to) {
  const HeapGate::Reader reading(g_setup.async->gate);
  const unwind::AsyncStack found =
      look_for_awaiters(*g_setup.async, stack, reading.inside(), {to, wire::kMostAwaiters});
  if (found.count != 1 || to[0] != wire::Frame::async_unknown(wire::AsyncUnknown::kNoMachine)) return found;
  if (slot == nullptr)
    to[0] = wire::Frame::async_unknown(wire::AsyncUnknown::kAfar);
  else if (!reading.inside())
    to[0] = wire::Frame::async_owed(g_setup.async->owed.owe(slot, stack));
  return found;
}

void add_awaiters(const unwind::WalkedStackView& stack, const ThreadSlot* slot, wire::RawSample* sample,
                  wire::Frame* to) {
  const unwind::AsyncStack found = find_awaiters(stack, slot, to);
  sample->async_joint = found.joint;
  sample->async_unseen = found.unseen;
  sample->awaiters = static_cast<uint8_t>(found.count);
}

// Walks and writes, and asks for the CLR's walk where it is wanted. False: the stack has code that is not
// reported yet, and may not be shown. `frames`: room for most_frames(), behind the sample's labels.
// Not inlined: its frame is the walk's, and not of those that call it (tools/check_callback_stack.py).
WALKABOUT_HOT __attribute__((noinline)) bool write_stack(const Shot& shot, wire::RawSample* sample,
                                                         wire::Frame* frames) {
  ThreadSlot& slot = shot.slot;
  unwind::FrameSink sink(frames, g_setup.depth);
  wire::Frame* const behind = frames + g_setup.depth;
  if (shot.by_tick() && clr_goes_first(slot, shot.regs))
    request_clr_walk(shot.regs, wire::OracleState::kRequestedFirst, {}, true, sample, behind);
  // Behind all that the sample may have.
  auto* const stack_pointers = reinterpret_cast<uint64_t*>(frames) + most_frames() + wire::kMostAwaiters;
  if (g_setup.async != nullptr)
    sink.keep_stack_pointers({stack_pointers, std::min(kAsyncFrames, g_setup.depth / 2)});
  const unwind::Memory memory = memory_of(slot, shot.regs.sp());
  const uint64_t before = __rdtsc();
  const unwind::WalkOutcome outcome =
      unwind::walk(shot.regs, memory, g_setup.code, sink, shot.memo,
                   shot.requests_clr_walk() ? unwind::Seed::kWanted : unwind::Seed::kNotWanted);
  sample->cycles = static_cast<uint32_t>(__rdtsc() - before);
  sample->frames = sink.finish();
  sample->end = outcome.end;
  sample->flags |= flags_of(slot, outcome, sink);
  if (shot.by_tick() ? is_compiling(slot, outcome, frames[0]) : is_compiling_outside(slot, outcome))
    sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kInJit);
  add_alone(slot.shared->lane(shot.lane).frames, sink.total());
  const uint32_t walked = sample->frames;
  if (!shot.by_tick() && g_setup.own_image) leave_out_own_frames(sample, frames);
  if (met_unreported_code({frames, sample->frames})) return false;
  if (shot.requests_clr_walk()) {
    add_clr_frames(slot, shot.regs, outcome, behind, shot.by_tick(), sample, frames + sample->frames);
    if (shot.by_tick()) slot.clr_turn = !slot.clr_turn;
  }
  if (g_setup.async != nullptr) {
    const uint64_t own = walked - sample->frames;
    const uint64_t kept = std::min<uint64_t>({sink.total(), kAsyncFrames, g_setup.depth / 2});
    add_awaiters({shot.regs,
                  memory,
                  {frames, sample->frames},
                  {stack_pointers + own, kept - std::min(own, kept)},
                  memory.lo,
                  memory.hi},
                 &slot, sample, frames + sample->frames + sample->clr_frames);
  }
  return true;
}

// What a sample cost: reading the clock, and what came after. The time stamp counter runs on while the
// thread is switched out, so a suspicious difference is replaced by the thread's CPU clock.
WALKABOUT_HOT uint64_t cost_ns(const CaptureBegin& begin) {
  const uint64_t cycles = __rdtsc() - begin.clock_read;
  if (cycles > g_setup.tsc_per_ms / kSuspiciousPerMs) return base::thread_cpu_ns() - begin.cpu_ns;
  const uint64_t reading = std::min(begin.clock_read - begin.cycles, g_setup.tsc_per_ms / kClockReadPerMs);
  return (reading + cycles) * 1'000'000 / g_setup.tsc_per_ms;
}

// The stack of the tick's sample for the value that waits. Where it has no room the value waits on.
void add_rider(ThreadSlot& slot, wire::Producer& producer, const wire::RawSample& ticked) {
  const auto size = static_cast<uint32_t>(
      sizeof ticked + (kMostRiderLabels + ticked.frames + ticked.awaiters) * sizeof(wire::Frame));
  uint8_t* room = producer.begin(size);
  if (room == nullptr) return;
  const Rider::Taken taken = slot.rider.take();
  if (taken.value == 0 || !taken.source.valid() || taken.source.value > wire::kMostSources) return;
  const Event event{taken.source,
                    {&taken.value, 1},
                    {taken.label.data(), std::min<size_t>(taken.labels, kMostRiderLabels)}};
  wire::RawSample* sample = put_event_at(ticked, event, room);
  wire::SourceAccount& account = slot.shared->ticks().of(taken.source);
  sample->index = next_index(account);
  add_alone(account.attempts, 1);
  publish(producer, account, *sample);
}

// REQUIRES: inside of the gate.
Dropped take(const Shot& shot, const Event& event, const CaptureBegin& begin, wire::SourceAccount& account) {
  ThreadSlot& slot = shot.slot;
  wire::LaneHeader& lane = slot.shared->lane(shot.lane);
  if ((!event.tallied && slot.callback_throttle.holds(begin.cpu_ns)) || !has_room(kWalkBytes))
    return dropped(account, event, wire::DropCause::kThrottled);
  wire::Producer producer(lane, slot.callback_ring, slot.shared->ring_size);
  uint8_t* room = producer.begin(largest_record(event, most_words()));
  if (room == nullptr) return dropped(account, event, wire::DropCause::kRingFull);
  wire::Frame* frames = put_event(event, room);
  auto* sample = reinterpret_cast<wire::RawSample*>(room);
  if (!write_stack(shot, sample, frames)) return dropped(account, event, wire::DropCause::kStopping);
  sample->time_ns = base::monotonic_ns();
  sample->index = next_index(account);
  publish(producer, account, *sample);
  const uint64_t cost = cost_ns(begin);
  add_alone(lane.cost_ns, cost);
  if (!event.tallied) slot.callback_throttle.walked(begin.cpu_ns, cost, kThrottleFactor);
  return {};
}

}  // namespace

void set_capture(const CaptureSetup& setup) { g_setup = setup; }
const CaptureSetup& capture_setup() { return g_setup; }
WALKABOUT_HOT bool met_unreported_code(std::span<const wire::Frame> frames) {
  if (g_setup.unreported_until_ns == nullptr) return false;
  const uint64_t until_ns = g_setup.unreported_until_ns->load(std::memory_order_relaxed);
  if (until_ns == 0 || base::monotonic_ns() >= until_ns) return false;
  return std::any_of(frames.begin(), frames.end(), [](wire::Frame frame) { return frame.unmapped(); });
}
void stop_captures(bool stop) { g_stopping.store(stop, std::memory_order_relaxed); }
bool captures_stopped() { return g_stopping.load(std::memory_order_relaxed); }

WALKABOUT_HOT void capture_tick(ThreadSlot& slot, const unwind::Registers& regs, const CaptureBegin& begin) {
  wire::SlotHeader* shared = slot.shared;
  wire::LaneHeader& lane = shared->ticks();
  wire::SourceAccount& account = shared->cpu();
  add_alone(account.attempts, 1);
  if (captures_stopped()) return drop(account, wire::DropCause::kStopping);
  if (slot.throttle.holds(begin.cpu_ns) || !has_room(kWalkBytes))
    return drop(account, wire::DropCause::kThrottled);
  wire::Producer producer(shared);
  const uint64_t weight = begin.cpu_ns - shared->last_cpu_ns.load(std::memory_order_relaxed);
  const Event event{wire::kCpuSource, {&weight, 1}, {}};
  uint8_t* room = producer.begin(largest_record(event, most_words()));
  if (room == nullptr) return drop(account, wire::DropCause::kRingFull);
  wire::Frame* frames = put_event(event, room);
  auto* sample = reinterpret_cast<wire::RawSample*>(room);
  if (!write_stack({slot, regs, wire::Lane::kHandler, slot.memo}, sample, frames))
    return drop(account, wire::DropCause::kStopping);
  sample->time_ns = base::monotonic_ns();
  shared->last_cpu_ns.store(begin.cpu_ns, std::memory_order_relaxed);
  sample->index = next_index(account);
  publish(producer, account, *sample);
  if (slot.rider.waits()) [[unlikely]]
    add_rider(slot, producer, *sample);
  const uint64_t cost = cost_ns(begin);
  add_alone(lane.cost_ns, cost);
  const uint64_t factor = g_setup.oracle == nullptr ? kThrottleFactor : kOracleThrottleFactor;
  slot.throttle.walked(begin.cpu_ns, cost, factor);
}

unwind::AsyncStack look_for_awaiters(const AsyncSetup& async, const unwind::WalkedStackView& stack,
                                     bool reads, std::span<wire::Frame> awaiters) {
  constexpr unwind::HeapView kNowhere{{}, nullptr, false};
  unwind::HeapReader heap(reads ? async.heap.view() : kNowhere, read_self, nullptr, count_readable);
  return unwind::find_awaiters(stack, async.known, heap, awaiters);
}

__attribute__((noinline)) void answer_owed(const AsyncSetup& async) {
  async.owed.answer([&async](const unwind::WalkedStackView& stack, std::span<wire::Frame> awaiters) {
    return look_for_awaiters(async, stack, true, awaiters);
  });
}

WalkedStack walk_for(ThreadSlot& slot, const unwind::Registers& regs, const StackRoom& room) {
  WalkedStack walked;
  if (slot.shared == nullptr || !has_room(kWalkBytes)) return walked;
  const CaptureBegin begin;
  unwind::FrameSink sink(room.frames.data(), static_cast<uint32_t>(room.frames.size()));
  const size_t kept = std::min(room.stack_pointers.size(), room.frames.size() / 2);
  if (g_setup.async != nullptr) sink.keep_stack_pointers(room.stack_pointers.first(kept));
  const unwind::Memory memory = memory_of(slot, regs.sp());
  const unwind::WalkOutcome outcome =
      unwind::walk(regs, memory, g_setup.code, sink, slot.memo, unwind::Seed::kNotWanted);
  walked.frames = sink.finish();
  walked.end = outcome.end;
  walked.flags = flags_of(slot, outcome, sink);
  walked.trusted = walked.frames != 0 && !met_unreported_code(room.frames.first(walked.frames));
  if (g_setup.async != nullptr && walked.trusted) {
    const unwind::AsyncStack found =
        find_awaiters({regs, memory, room.frames.first(walked.frames),
                       room.stack_pointers.first(std::min<size_t>(sink.total(), kept)), memory.lo, memory.hi},
                      &slot, room.awaiters.data());
    walked.async_joint = found.joint;
    walked.async_unseen = found.unseen;
    walked.awaiters = found.count;
  }
  add_alone(slot.shared->ticks().cost_ns, cost_ns(begin));
  return walked;
}

Dropped capture(ThreadSlot& slot, const unwind::Registers& regs, const Event& event) {
  if (!is_sound(event)) return wire::DropCause::kCorrupt;
  const int saved_errno = errno;
  const CaptureBegin begin;
  Dropped result = wire::DropCause::kStopping;
  {
    // First of all: who saw the gate empty may free what the slot leads to.
    const unwind::ReaderGate::Reader inside(tick_gate());
    if (slot.shared != nullptr) {
      wire::SourceAccount& account = slot.shared->lane(wire::Lane::kCallback).of(event.source);
      add_alone(account.attempts, 1);
      if (captures_stopped()) {
        result = dropped(account, event, wire::DropCause::kStopping);
      } else if (slot.callback_ring == nullptr) {
        result = dropped(account, event, wire::DropCause::kRingFull);
      } else {
        learn_stack_end(slot);
        result = take({slot, regs, wire::Lane::kCallback, slot.callback_memo}, event, begin, account);
      }
    }
  }
  errno = saved_errno;
  return result;
}

__attribute__((noinline)) Dropped capture_here(ThreadSlot& slot, const Event& event) {
  const unwind::Registers regs = unwind::own_registers();
  const Dropped result = capture(slot, regs, event);
  asm volatile("" ::: "memory");  // the frame that the registers are of stays until here
  return result;
}

void count_drop(ThreadSlot& slot, base::SourceId source, wire::DropCause cause) {
  const unwind::ReaderGate::Reader inside(tick_gate());
  if (slot.shared == nullptr) return;
  wire::SourceAccount& account = slot.shared->lane(wire::Lane::kCallback).of(source);
  add_alone(account.attempts, 1);
  drop(account, cause);
}

Dropped capture_about(ThreadSlot& writer, const Subject& subject, const Event& event) {
  if (!is_sound(event)) return wire::DropCause::kCorrupt;
  wire::LaneHeader& lane = writer.shared->lane(wire::Lane::kCallback);
  wire::SourceAccount& account = lane.of(event.source);
  add_alone(account.attempts, 1);
  if (captures_stopped()) return dropped(account, event, wire::DropCause::kStopping);
  if (writer.callback_ring == nullptr) return dropped(account, event, wire::DropCause::kRingFull);
  const size_t words = event.values.size() - 1 + event.labels.size() + subject.frames.size() +
                       (g_setup.async != nullptr ? wire::kMostAwaiters : 0);
  wire::Producer producer(lane, writer.callback_ring, writer.shared->ring_size);
  uint8_t* room =
      producer.begin(static_cast<uint32_t>(sizeof(wire::RawSample) + words * sizeof(wire::Frame)));
  if (room == nullptr) return dropped(account, event, wire::DropCause::kRingFull);
  wire::Frame* frames = put_event(event, room);
  auto* sample = reinterpret_cast<wire::RawSample*>(room);
  std::copy(subject.frames.begin(), subject.frames.end(), frames);
  sample->frames = static_cast<uint32_t>(subject.frames.size());
  sample->end = subject.end;
  sample->flags = subject.flags;
  if (subject.awaiters != nullptr) {
    std::copy(subject.awaiters->frames.begin(), subject.awaiters->frames.end(), frames + sample->frames);
    sample->awaiters = static_cast<uint8_t>(subject.awaiters->frames.size());
    sample->async_joint = subject.awaiters->joint;
    sample->async_unseen = subject.awaiters->unseen;
  } else if (g_setup.async != nullptr) {
    const unwind::Registers no_registers;
    const unwind::Memory no_memory;
    add_awaiters({no_registers, no_memory, subject.frames, {}, 0, 0}, nullptr, sample,
                 frames + sample->frames);
  }
  sample->subject = subject.thread.value;
  sample->index = subject.samples;
  sample->time_ns = subject.time_ns;
  add_alone(lane.frames, sample->frames);
  publish(producer, account, *sample);
  return {};
}

}  // namespace walkabout::agent
