#include "agent/trace/thread_cpu.h"

#include "agent/trace/trace_pages.h"
#include "agent/trace/trace_process.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kMostClockCalls = 1 << 18;

using Clock = ThreadTrace::CpuClock;

void set_clock(ThreadTrace& thread, Clock clock, const std::atomic<uint32_t>* switches) {
  thread.cpu.store(static_cast<uint32_t>(clock), std::memory_order_relaxed);
  thread.switches.store(switches, std::memory_order_release);
}

// From here on; how long it did not run before is of no interest.
void start_running(ThreadTrace& thread) {
  thread.run_ns = this_thread_cpu_ns();
  thread.run_ticks = trace_ticks();
}

void ask_the_kernel(ThreadTrace& thread) {
  const uint64_t ran = this_thread_cpu_ns(), now = trace_ticks();
  const TickRate rate{g_trace.ns_per_tick.load(std::memory_order_relaxed)};
  const uint64_t passed = now - thread.run_ticks, on = rate.ticks(ran - thread.run_ns);
  if (passed > on) thread.off += passed - on;
  thread.run_ns = ran;
  thread.run_ticks = now;
}

// A switch between the count and the clock is found the next time.
void look_at_count(ThreadTrace& thread, uint32_t seen) {
  thread.seen_switches = seen;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  ask_the_kernel(thread);
}

}  // namespace

constinit const std::atomic<uint32_t> kNoSwitches{0}, kAlwaysSwitched{1};

void begin_cpu_clock(ThreadTrace& thread) {
  thread.off = 0;
  thread.clock_calls = 0;
  if (g_trace.counts == nullptr) return set_clock(thread, Clock::kNone, &kNoSwitches);
  const std::atomic<uint32_t>* own = g_trace.counts->take(thread.tid.load(std::memory_order_relaxed));
  thread.seen_switches = own != nullptr ? own->load(std::memory_order_relaxed) : 0;
  start_running(thread);
  if (own != nullptr) return set_clock(thread, Clock::kSwitches, own);
  set_clock(thread, Clock::kCalls, &kAlwaysSwitched);
}

void forget_cpu_clock(ThreadTrace& thread) {
  thread.seen_switches = 0;
  set_clock(thread, Clock::kNone, &kNoSwitches);
}

void give_switches(ThreadTrace& thread, const std::atomic<uint32_t>* switches) {
  thread.switches.store(switches, std::memory_order_release);
}

void look_at_cpu_clock(ThreadTrace& thread) {
  const std::atomic<uint32_t>* switches = thread.switches.load(std::memory_order_acquire);
  const auto clock = static_cast<Clock>(thread.cpu.load(std::memory_order_relaxed));
  if (switches != &kAlwaysSwitched) {
    const uint32_t seen = switches->load(std::memory_order_relaxed);
    if (clock == Clock::kUnknown) {
      thread.seen_switches = seen;
      start_running(thread);
      thread.off = trace_ticks();
    } else {
      look_at_count(thread, seen);
    }
    thread.cpu.store(static_cast<uint32_t>(Clock::kSwitches), std::memory_order_relaxed);
    return;
  }
  if (clock == Clock::kCalls && ++thread.clock_calls <= kMostClockCalls) return ask_the_kernel(thread);
  // As if it had not run since, until it is known again.
  thread.off = trace_ticks();
  thread.cpu.store(static_cast<uint32_t>(Clock::kUnknown), std::memory_order_relaxed);
  thread.without_cpu.add(1);
}

}  // namespace walkabout::agent
