#include "base/windows/win32.h"
// after win32.h
#include <x86intrin.h>

#include <algorithm>

#include "agent/windows/capture.h"
#include "agent/windows/hijacked_return.h"
#include "agent/windows/self_memory.h"
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

// Of the calling thread's environment block: where its stack is empty, and where its reserved memory begins.
// Source: as thread_handle.cc.
template <uint32_t offset>
uint64_t block_word() {
  uint64_t word = 0;
  asm("movq %%gs:%c1, %0" : "=r"(word) : "i"(offset));
  return word;
}
uint64_t stack_base() { return block_word<0x8>(); }
uint64_t stack_end() { return block_word<0x1478>(); }

bool has_room(uint64_t bytes) {
  const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  const uint64_t end = stack_end();
  return here < stack_base() && here > end && here - end >= bytes + kGuardBytes;
}

// The memory of the calling thread's stack, from its stack pointer up: all of that is there.
class OwnMemory {
 public:
  OwnMemory(const ThreadSlot& slot, uint64_t sp) : slot_(slot) {
    memory_.slow = read;
    memory_.context = this;
    if (sp < stack_base() && sp > stack_end()) {
      memory_.lo = sp;
      memory_.hi = stack_base();
    }
  }
  const unwind::Memory& memory() const { return memory_; }
  // The topmost managed frame, once the walk has met it.
  bool saw_managed() const { return saw_managed_; }
  const unwind::Registers& topmost() const { return topmost_; }
  TopmostManaged watch() { return {met, this}; }

 private:
  // What lies above is read where the stack is, the word itself in its place (read()).
  static void met(void* context, const unwind::Registers& frame) {
    auto* self = static_cast<OwnMemory*>(context);
    self->topmost_ = frame;
    self->saw_managed_ = true;
    const uint64_t clr = self->slot_.clr_thread.load(std::memory_order_relaxed);
    self->taken_ = hijacked_return(frame, false, clr, self->memory_, g_setup.code);
    if (self->taken_.slot != 0 && self->memory_.hi != 0) self->memory_.lo = self->taken_.slot + 8;
  }
  static bool read(void* context, uint64_t address, void* to, size_t size) {
    const HijackedReturn& taken = static_cast<OwnMemory*>(context)->taken_;
    if (taken.slot == 0 || address != taken.slot || size != sizeof taken.original)
      return read_self(nullptr, address, to, size);
    std::memcpy(to, &taken.original, size);
    return true;
  }

  const ThreadSlot& slot_;
  unwind::Memory memory_;
  unwind::Registers topmost_;
  bool saw_managed_ = false;
  HijackedReturn taken_;
};

// With the CLR's walk, if it is asked for one.
uint32_t most_frames() { return g_setup.depth * (g_setup.oracle != nullptr ? 2 : 1); }

void add_clr_frames(const OwnMemory& own, wire::RawSample* sample, wire::Frame* to) {
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
  OwnMemory own(slot, regs.sp());
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
