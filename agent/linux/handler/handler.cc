#include "agent/linux/handler/handler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstring>

#include "agent/linux/handler/alternate_stack.h"
#include "agent/linux/handler/asked_stack.h"
#include "agent/linux/handler/capture.h"
#include "agent/linux/handler/chained_signal.h"
#include "agent/linux/handler/ring_wait.h"
#include "agent/linux/handler/stack_end.h"
#include "agent/linux/handler/tick_signal.h"
#include "base/hot.h"
#include "base/linux/tick_filter.h"
#include "base/linux/tick_trap.h"
#include "base/linux/trap_probe.h"
#include "unwind/machine/signal_context_x64.h"

namespace walkabout::agent {
namespace {

// Written before the first clock is armed, then read only.
ClockOwner g_clock_owner;
constinit ThreadSlot g_slots[wire::kMaxSlots];  // all zero: no memory until used
constinit unwind::ReaderGate g_gate;
struct sigaction g_chain;
struct sigaction g_trap_chain;
std::atomic<uint64_t> g_probe_ticks{0};
std::atomic<uint64_t> g_interval_ns{0};
std::atomic<uint32_t> g_wanting{0};  // the slots that wait for their interval, the newest first: index + 1
std::atomic<uint16_t> g_slot_of_fd[kMaxFds];  // slot + 1

// initial-exec: no allocation on first use.
thread_local ThreadSlot* t_slot = nullptr;
thread_local pid_t t_tid = 0;  // of this thread, as t_slot had it

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
  const ClockOwner& owner = g_clock_owner;
  if (owner.tid == 0) return set_clock_interval(slot);
  if (!slot.wants_interval.exchange(true)) {
    uint32_t head = g_wanting.load(std::memory_order_relaxed);
    do {
      slot.next_wanting.store(head, std::memory_order_relaxed);
    } while (!g_wanting.compare_exchange_weak(head, static_cast<uint32_t>(&slot - g_slots) + 1));
  }
  ::syscall(SYS_tgkill, owner.pid, owner.tid, owner.signal);
}

WALKABOUT_HOT void tick(ThreadSlot& slot, const siginfo_t* info, ucontext_t* context) {
  const CaptureBegin begin;
  const unwind::Registers regs = unwind::registers_of(*context);
  if (info->si_code == SI_TIMER && info->si_overrun > 0)
    wire::add_alone(slot.shared->overruns, static_cast<uint64_t>(info->si_overrun));
  if (!captures_stopped()) [[likely]] {
    make_room(slot, context, regs.sp());
    learn_stack_end(slot);
    set_interval(slot);
  }
  capture_tick(slot, regs, begin);
  if (slot.asked.load(std::memory_order_relaxed) != 0) [[unlikely]]
    answer_all_asked(slot, *context);
}

}  // namespace

std::span<ThreadSlot, wire::kMaxSlots> thread_slots() { return g_slots; }

unwind::ReaderGate& tick_gate() { return g_gate; }

void set_handler(const HandlerSetup& setup) {
  set_capture(setup);
  g_clock_owner = setup.clock_owner;
  set_tick_interval(setup.interval_ns);
  stop_captures(false);
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

// Not inlined: where a caller needs 32 bits of it gcc reads the offset with an instruction that ld cannot
// relax.
__attribute__((noinline)) ptrdiff_t stack_end_at() {
  return reinterpret_cast<char*>(&t_stack_end) - static_cast<char*>(__builtin_thread_pointer());
}

void keep_stack_end(uint64_t end) { t_stack_end = end; }

void set_chain(const struct sigaction& previous) { g_chain = previous; }

bool map_fd(int fd, uint32_t slot) {
  if (fd < 0 || static_cast<uint32_t>(fd) >= kMaxFds) return false;
  g_slot_of_fd[fd].store(static_cast<uint16_t>(slot + 1), std::memory_order_release);
  return true;
}

void stop_handler() { stop_captures(true); }

ThreadSlot* current_slot() { return cached_slot_is_ours() ? t_slot : nullptr; }

void keep_slot(ThreadSlot* slot) {
  t_tid = gettid_now();
  std::atomic_signal_fence(std::memory_order_release);  // a tick in between finds no slot of this number
  t_slot = slot;
}

namespace {

// False: it is none of ours.
WALKABOUT_HOT bool take_tick(const siginfo_t* info, ucontext_t* context) {
  // First of all: what a slot leads to may be freed by whoever saw the gate empty. (And entering is a locked
  // instruction, which has to wait for every store before it.)
  const unwind::ReaderGate::Reader inside(g_gate);
  ThreadSlot* slot = find_slot(info);
  const bool ours = slot != nullptr || answer_asked(*info, *context);
  if (slot != nullptr) tick(*slot, info, context);
  if (ours && info->si_code == SI_TIMER) repeat_ring_wait(context);
  return ours;
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
