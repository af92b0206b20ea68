#include "agent/windows/session/thread_walk.h"

#include <x86intrin.h>

#include "agent/windows/context_registers.h"
#include "agent/windows/hijacked_return.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

bool let_go(void* watchdog) { return static_cast<Watchdog*>(watchdog)->let_go(); }

}  // namespace

ThreadWalk::ThreadWalk(const Setup& setup)
    : setup_(setup), stopped_(setup.watchdog), snapshot_(setup.info, setup.depth) {}

unwind::PeCodeMap ThreadWalk::code() const {
  return {&setup_.registry.images(), &setup_.registry.jitted(), find_dynamic_function};
}

bool ThreadWalk::is_managed(uint64_t pc) const {
  clr::FunctionID function = 0;
  return !clr::failed(setup_.info->GetFunctionFromIP(reinterpret_cast<const uint8_t*>(pc), &function));
}

void ThreadWalk::prepare() {
  static_cast<void>(snapshot_.take(0, nullptr, 0, nullptr, nullptr));
  static_cast<void>(is_managed(reinterpret_cast<uint64_t>(&let_go)));
  unwind::DynamicFunction function;
  static_cast<void>(find_dynamic_function(reinterpret_cast<uint64_t>(&let_go), &function));
}

// Code that a map knows is there.
void ThreadWalk::take_code() {
  const unwind::ReaderGate::Reader inside(setup_.registry.gate());
  const uint64_t pc = stopped_.registers().pc();
  if (const unwind::Image* image = setup_.registry.images().find(pc); image != nullptr)
    stopped_.take_code(image->end);
  else if (const unwind::JitRegion* region = setup_.registry.jitted().find(pc); region != nullptr)
    stopped_.take_code(region->end());
}

// While the thread is stopped, and so its Thread object as it is.
void ThreadWalk::put_back_return(const unwind::Registers& topmost, clr::ThreadID clr) {
  const bool interrupted = topmost.sp() == stopped_.registers().sp();
  const HijackedReturn taken = hijacked_return(topmost, interrupted, clr, stopped_.memory(), code());
  if (taken.slot != 0) stopped_.put_back(taken.slot, taken.original);
}

// While the thread is stopped. False when it was let go before the CLR was asked: it would read a stack that
// runs.
bool ThreadWalk::request_clr_walk(clr::ThreadID clr) {
  const SeedCheck check{
      [](void* self, uint64_t pc) { return static_cast<ThreadWalk*>(self)->is_managed(pc); }, this};
  unwind::Registers seed;
  {
    const unwind::ReaderGate::Reader inside(setup_.registry.gate());
    seeded_ = find_seed(stopped_.registers(), stopped_.memory(), code(), check, &seed);
    if (seeded_ && clr != 0) put_back_return(seed, clr);
  }
  if (seeded_) {
    seed_ = stopped_.context();
    set_registers(seed, &seed_);
  }
  if (!stopped_.stands()) return false;
  const uint64_t begin = base::monotonic_ns();
  answer_ =
      snapshot_.take(clr, seeded_ ? &seed_ : nullptr, seeded_ ? sizeof seed_ : 0, let_go, &setup_.watchdog);
  stopped_.took_clr(base::monotonic_ns() - begin);
  return true;
}

ThreadWalk::Result ThreadWalk::walk(const ThreadHandle& thread, const StackBounds& bounds, clr::ThreadID clr,
                                    wire::RawSample* sample) {
  if (!stopped_.stop(thread, bounds)) return Result::kGone;
  take_code();
  const bool requested = clr != 0 && request_clr_walk(clr);
  const bool stood = stopped_.resume();
  if (requested) figures_.answered(answer_, seeded_);
  figures_.walked(stopped_.times());
  if (!stood) return Result::kBlocked;
  fill(requested, sample);
  return Result::kSampled;
}

ThreadWalk::Result ThreadWalk::walk_self(const StackBounds& bounds, wire::RawSample* sample) {
  stopped_.take_self(bounds);
  take_code();
  const bool requested = request_clr_walk(0);
  figures_.answered(answer_, seeded_);
  fill(requested, sample);
  return Result::kSampled;
}

void ThreadWalk::fill(bool requested, wire::RawSample* sample) {
  const uint64_t begin = __rdtsc();
  const unwind::ReaderGate::Reader inside(setup_.registry.gate());
  auto* frames = reinterpret_cast<wire::Frame*>(sample + 1);
  unwind::FrameSink sink(frames, setup_.depth);
  const unwind::Memory memory = stopped_.memory();
  const bool answered = requested && answer_ == clr::S_OK && snapshot_.managed() > 0;
  if (answered && !setup_.verify) {
    sample->end = mixed_stack(stopped_.registers(), snapshot_.frames(), memory, code(), setup_.native, sink);
  } else {
    const NativeFrames native = setup_.verify ? NativeFrames::kFull : setup_.native;
    sample->end = own_stack(stopped_.registers(), memory, code(), native, sink);
    if (requested && seeded_ && !answered) sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kOwnWalk);
  }
  if (sink.left_out()) sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kLeftOut);
  sample->frames = sink.finish();
  sample->cycles = static_cast<uint32_t>(__rdtsc() - begin);
  if (requested && setup_.verify) record_clr_walk(sample);
}

// Behind our frames, to be compared with them.
void ThreadWalk::record_clr_walk(wire::RawSample* sample) {
  sample->oracle = static_cast<uint8_t>(seeded_ ? wire::OracleState::kRequested : wire::OracleState::kNoSeed);
  sample->hresult = static_cast<uint32_t>(answer_);
  auto* frames = reinterpret_cast<wire::Frame*>(sample + 1) + sample->frames;
  const bool at_leaf = seeded_ && seed_.Rip == stopped_.registers().pc();
  for (const SnapshotFrame& frame : snapshot_.frames()) {
    if (!frame.managed || sample->clr_frames == setup_.depth) continue;
    const bool interrupted = sample->clr_frames == 0 && at_leaf;
    frames[sample->clr_frames++] = unwind::name_pe_address(code(), frame.registers.pc(), interrupted);
  }
}

}  // namespace walkabout::agent
