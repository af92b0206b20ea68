#include "agent/linux/handler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

#include <cstring>
#include <new>

#include "agent/linux/alternate_stack.h"
#include "agent/linux/interrupted.h"
#include "agent/linux/interrupted_call.h"
#include "agent/linux/self_memory.h"
#include "base/clock.h"
#include "base/hot.h"
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
constexpr uint32_t kOracleFrames = 2048;
constexpr uint64_t kRedZone = 128;

// The handler's whole world. Written before the first clock is armed, then read only (but for `stopping` and
// the map).
HandlerSetup g_setup;
constinit ThreadSlot g_slots[wire::kMaxSlots];  // all zero: no memory until used
constinit walker::ReaderGate g_gate;
struct sigaction g_chain;
std::atomic<bool> g_stopping{false};
std::atomic<uint16_t> g_slot_of_fd[kMaxFds];  // slot + 1

// initial-exec: no allocation on first use.
thread_local ThreadSlot* t_slot = nullptr;
thread_local pid_t t_tid = 0;  // of this thread, as t_slot had it

// Counters have one writer, this thread: no locked instruction, which would wait for all stores before it.
void add(std::atomic<uint64_t>& counter, uint64_t n) {
  counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

pid_t gettid_now() { return static_cast<pid_t>(::syscall(SYS_gettid)); }

constexpr uint32_t kNoSlot = ~0u;

// Which slot's clock sent this? Perf events say so by descriptor (si_code is a POLL_*), timers by the value
// they were made with. kNoSlot: none of ours.
uint32_t slot_index(const siginfo_t* info) {
  if (g_setup.timer_engine) {
    return info->si_code == SI_TIMER ? static_cast<uint32_t>(info->si_value.sival_int) : kNoSlot;
  }
  if (info->si_code <= 0 || info->si_fd < 0 || static_cast<uint32_t>(info->si_fd) >= kMaxFds) return kNoSlot;
  const uint32_t index = g_slot_of_fd[info->si_fd].load(std::memory_order_relaxed);
  return index == 0 ? kNoSlot : index - 1;
}

// The cached slot may have been given to another thread meanwhile.
bool cached_slot_is_ours() {
  return t_slot != nullptr && t_slot->tid.load(std::memory_order_acquire) == t_tid;
}

ThreadSlot* find_slot(const siginfo_t* info) {
  // Nearly always: without a look into the table, which is cold.
  if (!g_setup.timer_engine && cached_slot_is_ours() && info->si_code > 0 && info->si_fd == t_slot->perf_fd)
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

void chain(int signal, siginfo_t* info, void* context) {
  if ((g_chain.sa_flags & SA_SIGINFO) != 0) {
    if (g_chain.sa_sigaction != nullptr) g_chain.sa_sigaction(signal, info, context);
  } else if (g_chain.sa_handler != SIG_DFL && g_chain.sa_handler != SIG_IGN) {
    g_chain.sa_handler(signal);
  }
}

walker::Memory memory_of(ThreadSlot& slot, uint64_t sp) {
  walker::Memory memory;
  memory.slow = read_self;
  const uint64_t lo = slot.stack_lo.load(std::memory_order_relaxed);
  const uint64_t hi = slot.stack_hi.load(std::memory_order_acquire);  // partner: where the bounds are set
  if (hi != 0 && sp >= lo && sp < hi) {
    memory.lo = sp - kRedZone;
    memory.hi = hi;
  } else if (hi == 0) {
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
void make_room(ThreadSlot& slot, ucontext_t* context) {
  if (!slot.was_here.load(std::memory_order_relaxed)) [[likely]]
    return;
  if (enlarge_alternate_stack_of(&context->uc_stack) != AlternateStack::kInUse)
    slot.was_here.store(false, std::memory_order_relaxed);
}

// After the random first period: the asked one.
void set_interval(ThreadSlot& slot) {
  if (!slot.first_tick.exchange(false, std::memory_order_relaxed) || slot.perf_fd < 0) return;
  uint64_t interval = g_setup.interval_ns;
  ::ioctl(slot.perf_fd, PERF_EVENT_IOC_PERIOD, &interval);
}

// The CLR's walk needs more stack than an alternate one may have left.
bool has_room(const ThreadSlot& slot, uint64_t sp) {
  const uint64_t hi = slot.stack_hi.load(std::memory_order_acquire);
  return hi != 0 && sp >= slot.stack_lo.load(std::memory_order_relaxed) && sp < hi;
}

// The seed of the CLR's walk and when it is asked: before ours or behind it, by turns, so that each at times
// is the first to touch the stack. Before ours it can only begin where the thread was interrupted.
bool clr_goes_first(ThreadSlot& slot, const walker::Registers& regs) {
  slot.clr_first = !slot.clr_first;
  const walker::CodeMap& code = g_setup.code;
  return g_setup.oracle != nullptr && slot.clr_first && has_room(slot, regs.sp()) &&
         walker::name_address(code, regs.pc(), true).managed();
}

void ask_clr(const walker::Registers& seed, wire::OracleState state, wire::RawSample* sample,
             wire::Frame* frames) {
  const OracleAnswer answer = g_setup.oracle(seed, g_setup.code, frames, kOracleFrames);
  sample->oracle = static_cast<uint8_t>(state);
  sample->hresult = answer.hresult;
  sample->clr_frames = answer.frames;
  sample->clr_cycles = answer.cycles;
}

// The CLR's frames lie behind ours, wherever they were put.
void add_clr_frames(ThreadSlot& slot, const walker::Registers& leaf, const walker::WalkOutcome& outcome,
                    const wire::Frame* asked_first, wire::RawSample* sample, wire::Frame* to) {
  if (static_cast<wire::OracleState>(sample->oracle) == wire::OracleState::kAskedFirst) {
    std::memmove(to, asked_first, sample->clr_frames * sizeof *to);
  } else if (outcome.saw_managed && has_room(slot, leaf.sp())) {
    ask_clr(outcome.first_managed, wire::OracleState::kAsked, sample, to);
  } else {
    sample->oracle = static_cast<uint8_t>(wire::OracleState::kNoSeed);
  }
}

// How this tick's walk is to be made.
struct Turn {
  bool clr_first = false;
  uint64_t ahead_cycles = 0;  // what looking ahead took
};

Turn prepare(ThreadSlot& slot, const walker::Registers& regs) {
  Turn turn;
  if (clr_goes_first(slot, regs)) {
    turn.clr_first = true;
  } else if (slot.memo != nullptr) {
    const uint64_t before = __rdtsc();
    slot.memo->look_ahead(regs);
    turn.ahead_cycles = __rdtsc() - before;
  }
  return turn;
}

// Walks and writes. `room` holds the largest record there can be. Returns the record's size.
uint32_t write_sample(ThreadSlot& slot, const walker::Registers& regs, const Turn& turn, uint8_t* room) {
  auto* sample = new (room) wire::RawSample;
  auto* frames = reinterpret_cast<wire::Frame*>(room + sizeof *sample);
  walker::FrameSink sink(frames, g_setup.depth);
  wire::Frame* const behind = frames + g_setup.depth;
  if (turn.clr_first) ask_clr(regs, wire::OracleState::kAskedFirst, sample, behind);
  const uint64_t before = __rdtsc();
  const walker::WalkOutcome outcome =
      walker::walk(regs, memory_of(slot, regs.sp()), g_setup.code, sink, slot.memo,
                   g_setup.oracle != nullptr ? walker::Seed::kWanted : walker::Seed::kNotWanted);
  sample->cycles = static_cast<uint32_t>(__rdtsc() - before + turn.ahead_cycles);
  sample->frames = sink.finish();
  sample->end = outcome.end;
  if (slot.in_gc.load(std::memory_order_relaxed) || outcome.collector)
    sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kInGc);
  if (outcome.jit_compiler || (slot.in_jit.load(std::memory_order_relaxed) && !frames[0].managed())) {
    sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kInJit);
  }
  if (sink.left_out()) sample->flags |= static_cast<uint8_t>(wire::SampleFlag::kLeftOut);
  add(slot.shared->frames, sink.total());
  if (g_setup.oracle != nullptr) add_clr_frames(slot, regs, outcome, behind, sample, frames + sample->frames);
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  sample->size =
      static_cast<uint32_t>(sizeof *sample + (sample->frames + sample->clr_frames) * sizeof(wire::Frame));
  return sample->size;
}

uint32_t largest_record() {
  return static_cast<uint32_t>(sizeof(wire::RawSample) +
                               (g_setup.depth + (g_setup.oracle != nullptr ? kOracleFrames : 0)) *
                                   sizeof(wire::Frame));
}

// What the handler cost. The time stamp counter runs on while the thread is switched out, so a suspicious
// difference is replaced by the thread's CPU clock.
uint64_t cost_ns(uint64_t cycles, uint64_t cpu_before) {
  if (cycles > g_setup.tsc_per_ms / kSuspiciousPerMs) return base::thread_cpu_ns() - cpu_before;
  return cycles * 1'000'000 / g_setup.tsc_per_ms;
}

WALKABOUT_HOT void tick(ThreadSlot& slot, const siginfo_t* info, ucontext_t* context) {
  const uint64_t start = __rdtsc();
  wire::SlotHeader* shared = slot.shared;
  const walker::Registers regs = registers_of(context);
  const Turn turn = prepare(slot, regs);
  const uint64_t cpu = base::thread_cpu_ns();
  add(shared->attempts, 1);
  if (info->si_code == SI_TIMER && info->si_overrun > 0) {
    add(shared->overruns, static_cast<uint64_t>(info->si_overrun));
  }
  if (g_stopping.load(std::memory_order_relaxed)) return drop(shared, wire::DropCause::kStopping);
  make_room(slot, context);
  set_interval(slot);
  if (cpu < slot.throttle_until_ns.load(std::memory_order_relaxed))
    return drop(shared, wire::DropCause::kThrottled);
  wire::Producer producer(shared);
  uint8_t* room = producer.begin(largest_record());
  if (room == nullptr) return drop(shared, wire::DropCause::kRingFull);
  const uint32_t size = write_sample(slot, regs, turn, room);
  auto* sample = reinterpret_cast<wire::RawSample*>(room);
  sample->time_ns = base::monotonic_ns();
  sample->weight_ns = cpu - shared->last_cpu_ns.load(std::memory_order_relaxed);
  shared->last_cpu_ns.store(cpu, std::memory_order_relaxed);
  add(shared->samples, 1);
  producer.commit(size);
  const uint64_t cost = cost_ns(__rdtsc() - start, cpu);
  add(shared->handler_ns, cost);
  const uint64_t factor = g_setup.oracle == nullptr ? kThrottleFactor : kOracleThrottleFactor;
  slot.throttle_until_ns.store(cpu + cost * factor, std::memory_order_relaxed);
}

// The program must not see that its system call was interrupted.
void restart_call(ucontext_t* context) {
  greg_t* g = context->uc_mcontext.gregs;
  if (g[REG_RAX] != -EINTR) [[likely]]
    return;
  walker::Memory memory;
  memory.slow = read_self;
  uint64_t pc = static_cast<uint64_t>(g[REG_RIP]), rax = static_cast<uint64_t>(g[REG_RAX]);
  if (!restart_interrupted_call(memory, &pc, &rax)) return;
  g[REG_RIP] = static_cast<greg_t>(pc);
  g[REG_RAX] = static_cast<greg_t>(rax);
}

}  // namespace

std::span<ThreadSlot, wire::kMaxSlots> thread_slots() { return g_slots; }

walker::ReaderGate& tick_gate() { return g_gate; }

void set_handler(const HandlerSetup& setup) {
  g_setup = setup;
  g_stopping.store(false, std::memory_order_relaxed);
}

void set_chain(const struct sigaction& previous) { g_chain = previous; }

bool map_fd(int fd, uint32_t slot) {
  if (fd < 0 || static_cast<uint32_t>(fd) >= kMaxFds) return false;
  g_slot_of_fd[fd].store(static_cast<uint16_t>(slot + 1), std::memory_order_release);
  return true;
}

void stop_handler() { g_stopping.store(true, std::memory_order_relaxed); }

ThreadSlot* current_slot() { return cached_slot_is_ours() ? t_slot : nullptr; }

WALKABOUT_HOT void on_tick(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  bool ours = false;
  {
    // First of all: what a slot leads to may be freed by whoever saw the gate empty. (And entering is a
    // locked instruction, which has to wait for every store before it.)
    const walker::ReaderGate::Reader inside(g_gate);
    if (ThreadSlot* slot = find_slot(info); slot != nullptr) {
      tick(*slot, info, static_cast<ucontext_t*>(context));
      ours = true;
    }
  }
  if (ours) {
    restart_call(static_cast<ucontext_t*>(context));
  } else {
    chain(signal, info, context);
  }
  errno = saved_errno;
}

}  // namespace walkabout::agent
