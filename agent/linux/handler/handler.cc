#include "agent/linux/handler/handler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "agent/linux/handler/alternate_stack.h"
#include "agent/linux/handler/chained_signal.h"
#include "agent/linux/handler/ring_wait.h"
#include "agent/linux/handler/self_memory.h"
#include "agent/linux/handler/tick_signal.h"
#include "base/clock.h"
#include "base/hot.h"
#include "base/linux/tick_filter.h"
#include "base/linux/tick_trap.h"
#include "base/linux/trap_probe.h"
#include "unwind/machine/signal_context_x64.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

// A walk that cost c is not followed by another within 6c of its begin: walks never take more than a sixth of
// the thread's time. With the oracle half of it: two walks, one of them slow, but the program has to get on.
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

// The handler's whole world. Written before the first clock is armed, then read only (but for `stopping` and
// the map).
HandlerSetup g_setup;
constinit ThreadSlot g_slots[wire::kMaxSlots];  // all zero: no memory until used
constinit unwind::ReaderGate g_gate;
struct sigaction g_chain;
struct sigaction g_trap_chain;
std::atomic<uint64_t> g_probe_ticks{0};
std::atomic<bool> g_stopping{false};
std::atomic<uint64_t> g_interval_ns{0};
std::atomic<uint32_t> g_wanting{0};  // the slots that wait for their interval, the newest first: index + 1
std::atomic<uint16_t> g_slot_of_fd[kMaxFds];  // slot + 1

// initial-exec: no allocation on first use.
thread_local ThreadSlot* t_slot = nullptr;
thread_local pid_t t_tid = 0;  // of this thread, as t_slot had it
thread_local uint64_t t_stack_end = 0;

// Counters have one writer, this thread: no locked instruction, which would wait for all stores before it.
void add(std::atomic<uint64_t>& counter, uint64_t n) {
  counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

pid_t gettid_now() { return static_cast<pid_t>(::syscall(SYS_gettid)); }

constexpr uint32_t kNoSlot = ~0u;

// Which slot's clock sent this? Traps and timers say so by the value they were made with, perf events that
// come as another signal by their descriptor (si_code is a POLL_*). kNoSlot: none of ours.
uint32_t slot_index(const siginfo_t* info) {
  uint32_t slot = kNoSlot;
  if (base::is_tick_trap(*info, &slot)) return slot;
  if (info->si_code == SI_TIMER) {
    const auto value = reinterpret_cast<uint64_t>(info->si_value.sival_ptr);
    return base::read_tick_data(value, &slot) ? slot : kNoSlot;
  }
  if (info->si_code <= 0 || info->si_signo == SIGTRAP || info->si_fd < 0 ||
      static_cast<uint32_t>(info->si_fd) >= kMaxFds)
    return kNoSlot;
  const uint32_t index = g_slot_of_fd[info->si_fd].load(std::memory_order_relaxed);
  return index == 0 ? kNoSlot : index - 1;
}

// The cached slot may have been given to another thread meanwhile.
bool cached_slot_is_ours() {
  return t_slot != nullptr && t_slot->tid.load(std::memory_order_acquire) == t_tid;
}

ThreadSlot* find_slot(const siginfo_t* info) {
  // Nearly always: without a look into the table, which is cold.
  if (info->si_signo != SIGTRAP && info->si_code > 0 && cached_slot_is_ours() &&
      info->si_fd == t_slot->perf_fd)
    return t_slot;
  const uint32_t index = slot_index(info);
  if (index >= wire::kMaxSlots) return nullptr;
  ThreadSlot* slot = &g_slots[index];
  if (slot == t_slot && cached_slot_is_ours()) return slot;
  const pid_t tid = gettid_now();
  if (slot->tid.load(std::memory_order_acquire) != tid) return nullptr;
  t_tid = tid;
  return t_slot = slot;
}

// False while the bounds are unknown, and on another stack, as a signal's.
bool on_own_stack(const ThreadSlot& slot, uint64_t sp) {
  const uint64_t hi = slot.stack_hi.load(std::memory_order_acquire);  // partner: where the bounds are set
  return hi != 0 && sp >= slot.stack_lo.load(std::memory_order_relaxed) && sp < hi;
}

// Others may have found it.
void learn_stack_end(const ThreadSlot& slot) {
  if (const uint64_t end = slot.stack_end.load(std::memory_order_relaxed); end != 0) t_stack_end = end;
}

// Whether the handler has so much of the thread's stack left. What lies behind its end is a fault, and in a
// program that overflows its stack the runtime takes only its own for that.
bool has_room(uint64_t bytes) {
  return reinterpret_cast<uint64_t>(__builtin_frame_address(0)) - t_stack_end >= bytes;
}

unwind::Memory memory_of(ThreadSlot& slot, uint64_t sp) {
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

void drop(wire::SlotHeader* shared, wire::DropCause cause) {
  add(shared->drops[static_cast<size_t>(cause)], 1);
}

// Threads that begin under the agent get their room in the CLR's callback.
void make_room(ThreadSlot& slot, ucontext_t* context, uint64_t sp) {
  if (!slot.was_here.load(std::memory_order_relaxed)) [[likely]]
    return;
  if (enlarge_alternate_stack_of(&context->uc_stack, sp) != AlternateStack::kInUse)
    slot.was_here.store(false, std::memory_order_relaxed);
}

void set_clock_interval(const ThreadSlot& slot) {
  uint64_t interval = g_interval_ns.load(std::memory_order_relaxed);
  ::ioctl(slot.perf_fd.load(std::memory_order_relaxed), PERF_EVENT_IOC_PERIOD, &interval);
}

// After the random first period: the asked one.
void set_interval(ThreadSlot& slot) {
  if (!slot.first_tick.load(std::memory_order_relaxed)) [[likely]]
    return;
  slot.first_tick.store(false, std::memory_order_relaxed);
  if (slot.perf_fd.load(std::memory_order_relaxed) < 0) return;
  const ClockKeeper& keeper = g_setup.keeper;
  if (keeper.tid == 0) return set_clock_interval(slot);
  if (!slot.wants_interval.exchange(true)) {
    uint32_t head = g_wanting.load(std::memory_order_relaxed);
    do {
      slot.next_wanting.store(head, std::memory_order_relaxed);
    } while (!g_wanting.compare_exchange_weak(head, static_cast<uint32_t>(&slot - g_slots) + 1));
  }
  ::syscall(SYS_tgkill, keeper.pid, keeper.tid, keeper.signal);
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

void ask_clr(const unwind::Registers& seed, wire::OracleState state, std::span<const wire::Frame> ours,
             wire::RawSample* sample, wire::Frame* frames) {
  const OracleAnswer answer = g_setup.oracle(seed, g_setup.code, ours, frames, kOracleFrames);
  sample->oracle = static_cast<uint8_t>(state);
  sample->hresult = answer.hresult;
  sample->clr_frames = answer.frames;
  sample->clr_cycles = answer.cycles;
}

// The CLR's frames lie behind ours, wherever they were put.
void add_clr_frames(ThreadSlot& slot, const unwind::Registers& leaf, const unwind::WalkOutcome& outcome,
                    const wire::Frame* asked_first, wire::RawSample* sample, wire::Frame* to) {
  if (static_cast<wire::OracleState>(sample->oracle) == wire::OracleState::kAskedFirst) {
    std::memmove(to, asked_first, sample->clr_frames * sizeof *to);
  } else if (outcome.saw_managed && has_room_for_clr(slot, leaf.sp())) {
    ask_clr(outcome.first_managed, wire::OracleState::kAsked, {to - sample->frames, to}, sample, to);
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

// Walks and writes. `room` holds the largest record there can be. Returns the record's size.
uint32_t write_sample(ThreadSlot& slot, const unwind::Registers& regs, uint8_t* room) {
  auto* sample = new (room) wire::RawSample;
  auto* frames = reinterpret_cast<wire::Frame*>(room + sizeof *sample);
  unwind::FrameSink sink(frames, g_setup.depth);
  wire::Frame* const behind = frames + g_setup.depth;
  const bool clr_first = clr_goes_first(slot, regs);
  if (clr_first) ask_clr(regs, wire::OracleState::kAskedFirst, {}, sample, behind);
  const uint64_t before = __rdtsc();
  const unwind::WalkOutcome outcome =
      unwind::walk(regs, memory_of(slot, regs.sp()), g_setup.code, sink, slot.memo,
                   g_setup.oracle != nullptr ? unwind::Seed::kWanted : unwind::Seed::kNotWanted);
  sample->cycles = static_cast<uint32_t>(__rdtsc() - before);
  sample->frames = sink.finish();
  sample->end = outcome.end;
  if (g_setup.collecting != nullptr && g_setup.collecting->is(slot.tid.load(std::memory_order_relaxed)))
    sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kInGc);
  if (is_compiling(slot, outcome, frames[0])) sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kInJit);
  if (sink.left_out()) sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kLeftOut);
  add(slot.shared->frames, sink.total());
  if (g_setup.oracle != nullptr) {
    add_clr_frames(slot, regs, outcome, behind, sample, frames + sample->frames);
    slot.clr_turn = !slot.clr_turn;
  }
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  sample->size =
      static_cast<uint32_t>(sizeof *sample + (sample->frames + sample->clr_frames) * sizeof(wire::Frame));
  return sample->size;
}

// Whether the walk went through code that no JIT event told of: it cannot be trusted, nor named.
bool met_unreported_code(const uint8_t* room) {
  if (g_setup.unreported_until_ns == nullptr) return false;
  const uint64_t until_ns = g_setup.unreported_until_ns->load(std::memory_order_relaxed);
  if (until_ns == 0 || base::monotonic_ns() >= until_ns) return false;
  const auto* sample = reinterpret_cast<const wire::RawSample*>(room);
  const auto* frames = reinterpret_cast<const wire::Frame*>(room + sizeof *sample);
  for (uint32_t i = 0; i < sample->frames; ++i) {
    if (frames[i].unmapped()) return true;
  }
  return false;
}

uint32_t largest_record() {
  return static_cast<uint32_t>(sizeof(wire::RawSample) +
                               (g_setup.depth + (g_setup.oracle != nullptr ? kOracleFrames : 0)) *
                                   sizeof(wire::Frame));
}

// What the handler cost: reading the clock, and what came after. The time stamp counter runs on while the
// thread is switched out, so a suspicious difference is replaced by the thread's CPU clock.
uint64_t cost_ns(uint64_t start, uint64_t clock_read, uint64_t cpu_then) {
  const uint64_t cycles = __rdtsc() - clock_read;
  if (cycles > g_setup.tsc_per_ms / kSuspiciousPerMs) return base::thread_cpu_ns() - cpu_then;
  const uint64_t reading = std::min(clock_read - start, g_setup.tsc_per_ms / kClockReadPerMs);
  return (reading + cycles) * 1'000'000 / g_setup.tsc_per_ms;
}

WALKABOUT_HOT void tick(ThreadSlot& slot, const siginfo_t* info, ucontext_t* context) {
  const uint64_t start = __rdtsc();
  wire::SlotHeader* shared = slot.shared;
  const unwind::Registers regs = unwind::registers_of(*context);
  const uint64_t cpu = base::thread_cpu_ns();
  const uint64_t clock_read = __rdtsc();
  add(shared->attempts, 1);
  if (info->si_code == SI_TIMER && info->si_overrun > 0) {
    add(shared->overruns, static_cast<uint64_t>(info->si_overrun));
  }
  if (g_stopping.load(std::memory_order_relaxed)) return drop(shared, wire::DropCause::kStopping);
  make_room(slot, context, regs.sp());
  learn_stack_end(slot);
  set_interval(slot);
  if (cpu < slot.throttle_until_ns.load(std::memory_order_relaxed) || !has_room(kWalkBytes))
    return drop(shared, wire::DropCause::kThrottled);
  wire::Producer producer(shared);
  uint8_t* room = producer.begin(largest_record());
  if (room == nullptr) return drop(shared, wire::DropCause::kRingFull);
  const uint32_t size = write_sample(slot, regs, room);
  if (met_unreported_code(room)) return drop(shared, wire::DropCause::kStopping);
  auto* sample = reinterpret_cast<wire::RawSample*>(room);
  sample->time_ns = base::monotonic_ns();
  sample->weight_ns = cpu - shared->last_cpu_ns.load(std::memory_order_relaxed);
  shared->last_cpu_ns.store(cpu, std::memory_order_relaxed);
  sample->index = static_cast<uint32_t>(shared->samples.load(std::memory_order_relaxed));
  add(shared->samples, 1);
  producer.commit(size);
  const uint64_t cost = cost_ns(start, clock_read, cpu);
  add(shared->handler_ns, cost);
  const uint64_t factor = g_setup.oracle == nullptr ? kThrottleFactor : kOracleThrottleFactor;
  slot.throttle_until_ns.store(cpu + cost * factor, std::memory_order_relaxed);
}

}  // namespace

std::span<ThreadSlot, wire::kMaxSlots> thread_slots() { return g_slots; }

unwind::ReaderGate& tick_gate() { return g_gate; }

void set_handler(const HandlerSetup& setup) {
  g_setup = setup;
  set_tick_interval(setup.interval_ns);
  g_stopping.store(false, std::memory_order_relaxed);
}

void set_tick_interval(uint64_t interval_ns) { g_interval_ns.store(interval_ns, std::memory_order_relaxed); }

void set_wanted_intervals() {
  uint32_t head = g_wanting.exchange(0);  // acquire: partner: set_interval()
  while (head != 0) {
    ThreadSlot& slot = g_slots[head - 1];
    head = slot.next_wanting.load(std::memory_order_relaxed);
    slot.wants_interval.store(false);
    if (slot.perf_fd.load(std::memory_order_relaxed) >= 0) set_clock_interval(slot);
  }
}

ptrdiff_t stack_end_at() {
  return reinterpret_cast<char*>(&t_stack_end) - static_cast<char*>(__builtin_thread_pointer());
}

void keep_stack_end(uint64_t end) { t_stack_end = end; }

void set_chain(const struct sigaction& previous) { g_chain = previous; }

bool map_fd(int fd, uint32_t slot) {
  if (fd < 0 || static_cast<uint32_t>(fd) >= kMaxFds) return false;
  g_slot_of_fd[fd].store(static_cast<uint16_t>(slot + 1), std::memory_order_release);
  return true;
}

void stop_handler() { g_stopping.store(true, std::memory_order_relaxed); }

ThreadSlot* current_slot() { return cached_slot_is_ours() ? t_slot : nullptr; }

namespace {

// False: it is none of ours.
WALKABOUT_HOT bool take_tick(const siginfo_t* info, ucontext_t* context) {
  // First of all: what a slot leads to may be freed by whoever saw the gate empty. (And entering is a locked
  // instruction, which has to wait for every store before it.)
  const unwind::ReaderGate::Reader inside(g_gate);
  ThreadSlot* slot = find_slot(info);
  if (slot == nullptr) return false;
  tick(*slot, info, context);
  if (info->si_code == SI_TIMER) repeat_ring_wait(context);
  return true;
}

}  // namespace

WALKABOUT_HOT void on_tick(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (!take_tick(info, static_cast<ucontext_t*>(context))) {
    if (signal == base::kLateTrapSignal && info->si_code == SI_KERNEL)
      catch_late_traps();  // see wake_handler()
    call_previous(g_chain, signal, info, context);
  }
  errno = saved_errno;
}

namespace {

// A tick whose thread has no slot any more comes late, and is nobody's.
WALKABOUT_HOT void take_trap(siginfo_t* info, void* context, struct sigaction* chain) {
  const int saved_errno = errno;
  auto* interrupted = static_cast<ucontext_t*>(context);
  uint32_t slot = 0;
  if (!base::is_tick_trap(*info, &slot)) {
    pass_on_trap(chain, info, interrupted);
  } else if (slot == base::kProbeSlot) {
    g_probe_ticks.fetch_add(1, std::memory_order_relaxed);
  } else {
    take_tick(info, interrupted);
  }
  errno = saved_errno;
}

}  // namespace

WALKABOUT_HOT void on_trap(int, siginfo_t* info, void* context) { take_trap(info, context, &g_trap_chain); }

void on_late_trap(int, siginfo_t* info, void* context) {
  struct sigaction by_default {};
  take_trap(info, context, &by_default);
}

void set_trap_chain(const struct sigaction& previous) { g_trap_chain = previous; }

const std::atomic<uint64_t>& probe_ticks() { return g_probe_ticks; }

}  // namespace walkabout::agent
