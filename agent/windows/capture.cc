#include "agent/windows/capture.h"

#include <x86intrin.h>

#include <algorithm>

#include "agent/windows/own_stack_memory.h"
#include "base/clock.h"
#include "unwind/machine/own_registers_x64.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

// Of stack: what a walk takes at most, what the CLR's takes, and what the system keeps free at its end.
constexpr uint64_t kWalkBytes = 8 << 10, kClrWalkBytes = 48 << 10, kGuardBytes = 64 << 10;
// The counter runs on while the thread is switched out: a walk counts as this at most.
constexpr uint64_t kMostWalkMs = 1;

// Written before the first sample, then read only.
CaptureSetup g_setup;
std::atomic<bool> g_stopping{false};

using wire::add_alone;

bool has_room(uint64_t bytes) {
  const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  const uint64_t end = stack_end();
  return here < stack_base() && here > end && here - end >= bytes + kGuardBytes;
}

// Of one sample: our frames, and with --oracle those of the CLR's walk.
uint32_t most_frames() { return g_setup.depth * (g_setup.oracle != nullptr ? 2 : 1); }

void add_clr_frames(const OwnStackMemory& own, wire::RawSample* sample, wire::Frame* to) {
  if (!own.saw_managed() || !has_room(kClrWalkBytes)) {
    sample->oracle = static_cast<uint8_t>(wire::OracleState::kNoSeed);
    return;
  }
  const OracleAnswer answer = g_setup.oracle(own.topmost(), g_setup.code, to, g_setup.depth);
  sample->oracle = static_cast<uint8_t>(wire::OracleState::kRequested);
  sample->hresult = answer.hresult;
  sample->clr_frames = answer.frames;
  sample->clr_cycles = answer.cycles;
}

// `event` is in its header.
void write_stack(const ThreadSlot& slot, const unwind::Registers& regs, wire::RawSample* sample,
                 wire::Frame* frames) {
  OwnStackMemory own(regs.sp(), slot.clr_thread.load(std::memory_order_relaxed), g_setup.code);
  unwind::FrameSink sink(frames, g_setup.depth);
  const uint64_t before = __rdtsc();
  sample->end = own_stack(regs, own.memory(), g_setup.code, g_setup.native, sink, own.watch());
  sample->cycles = static_cast<uint32_t>(__rdtsc() - before);
  sample->frames = sink.finish();
  if (g_setup.collecting != nullptr && g_setup.collecting->is(slot.tid.load(std::memory_order_relaxed)))
    sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kInGc);
  if (sink.left_out()) sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kLeftOut);
  add_alone(slot.shared->lane(wire::Lane::kCallback).frames, sink.total());
  if (g_setup.native == NativeFrames::kFull) leave_out_own_frames(sample, frames);
  if (g_setup.oracle != nullptr) add_clr_frames(own, sample, frames + sample->frames);
}

// REQUIRES: inside of the gate.
Dropped take(ThreadSlot& slot, const unwind::Registers& regs, const Event& event,
             wire::SourceAccount& account, uint64_t began) {
  wire::LaneHeader& lane = slot.shared->lane(wire::Lane::kCallback);
  if (g_stopping.load(std::memory_order_relaxed)) return dropped(account, event, wire::DropCause::kStopping);
  if (slot.callback_ring == nullptr) return dropped(account, event, wire::DropCause::kRingFull);
  if (!has_room(kWalkBytes)) return dropped(account, event, wire::DropCause::kThrottled);
  wire::Producer producer(lane, slot.callback_ring, slot.shared->ring_size);
  uint8_t* room = producer.begin(largest_record(event, most_frames()));
  if (room == nullptr) return dropped(account, event, wire::DropCause::kRingFull);
  wire::Frame* frames = put_event(event, room);
  auto* sample = reinterpret_cast<wire::RawSample*>(room);
  write_stack(slot, regs, sample, frames);
  sample->time_ns = base::monotonic_ns();
  sample->index = next_index(account);
  publish(producer, account, *sample);
  const uint64_t cycles = std::min(__rdtsc() - began, kMostWalkMs * g_setup.tsc_per_ms);
  add_alone(lane.cost_ns, cycles * 1'000'000 / std::max<uint64_t>(g_setup.tsc_per_ms, 1));
  return {};
}

// The registers that a callee preserves on Windows beside those of own_registers().
__attribute__((always_inline)) inline unwind::Registers preserved_registers() {
  unwind::Registers regs = unwind::own_registers();
  asm volatile(
      "movq %%rsi, %[rsi]\n\t"
      "movq %%rdi, %[rdi]"
      : [rsi] "=m"(regs.r[unwind::kRsi]), [rdi] "=m"(regs.r[unwind::kRdi]));
  return regs;
}

}  // namespace

void set_capture(const CaptureSetup& setup) { g_setup = setup; }
const CaptureSetup& capture_setup() { return g_setup; }
void stop_captures(bool stop) { g_stopping.store(stop, std::memory_order_relaxed); }

__attribute__((noinline)) Dropped capture_here(ThreadSlot& slot, const Event& event) {
  const uint64_t began = __rdtsc();
  if (!is_sound(event)) return wire::DropCause::kCorrupt;
  const unwind::Registers regs = preserved_registers();
  const unwind::ReaderGate::Reader inside(*g_setup.gate);
  wire::SourceAccount& account = slot.shared->lane(wire::Lane::kCallback).of(event.source);
  add_alone(account.attempts, 1);
  const Dropped result = take(slot, regs, event, account, began);
  asm volatile("" ::: "memory");  // the frame that the registers are of stays until here
  return result;
}

}  // namespace walkabout::agent
