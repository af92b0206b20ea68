#include "agent/trace/call_tracing.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "agent/trace/probe_cost.h"
#include "agent/trace/thread_cpu.h"
#include "agent/trace/trace_emitter.h"
#include "agent/trace/trace_frames.h"
#include "agent/trace/trace_pages.h"
#include "base/clock.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

// Since the last look: whose probes cost nothing that could be seen.
constexpr uint64_t kFewCalls = 1000;
constexpr auto kCalibration = std::chrono::milliseconds(5);
constexpr uint64_t kTimesPeriodUs = 500'000, kSpreadPeriodUs = 1'000'000;

template <typename Visit>
void each_trace(Visit&& visit) {
  for (std::atomic<ThreadTrace*>& entry : g_trace.threads) {
    ThreadTrace* thread = entry.load(std::memory_order_acquire);
    if (thread == nullptr) return;
    visit(*thread);
  }
}

bool is_in(const ThreadTrace& thread, ThreadTrace::State state) {
  return thread.state.load(std::memory_order_acquire) == static_cast<uint32_t>(state);
}

// Nobody who found the recording that has ended is still at it.
void wait_for_busy() {
  each_trace([](const ThreadTrace& thread) {
    while (thread.busy.load() != 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
}

void give_back_switches(ThreadTrace& thread) {
  const std::atomic<uint32_t>* switches = thread.switches.load(std::memory_order_relaxed);
  if (switches != &kNoSwitches && switches != &kAlwaysSwitched && g_trace.counts != nullptr)
    g_trace.counts->give_back(switches);
}

void free_ended(ThreadTrace& thread) {
  give_back_switches(thread);
  empty_thread_trace(thread);
  thread.recording.store(0, std::memory_order_relaxed);
  thread.state.store(static_cast<uint32_t>(ThreadTrace::State::kFree), std::memory_order_release);
}

base::Status reserve_memory() {
  if (g_trace.untimed == nullptr)
    g_trace.untimed = static_cast<uint8_t*>(reserve_trace_pages(kMostTracedMethods));
  if (g_trace.untimed != nullptr && g_trace.memory.reserve() && g_trace.tree.reserve() &&
      g_trace.open.reserve())
    return {};
  return base::Status::error(
      "no address space for the figures of traced calls; trace where the program's limit (ulimit -v) allows "
      "1 GiB "
      "more");
}

void forget_all() {
  g_trace.tree.clear();
  g_trace.open.clear();
  clear_trace_pages(g_trace.untimed, kMostTracedMethods);
  g_trace.last_call.store(0);
  g_trace.no_thread.store(0);
}

void start_recording() {
  g_trace.process.store(this_trace_process());
  g_trace.last_recording += 1;
  g_trace.recording.store(g_trace.last_recording);
}

void stop_recording() {
  g_trace.recording.store(0);
  wait_for_busy();
}

// In a recording of its own, of which nothing stays.
ProbeCost try_probes(SwitchCounts* counts) {
  ProbeCost cost;
  g_trace.latency.store(UINT64_MAX);
  start_recording();
  if (ThreadTrace* thread = begin_thread_trace(); thread != nullptr) {
    if (counts != nullptr)
      if (const auto* own = counts->of(thread->tid.load()); own != nullptr) give_switches(*thread, own);
    cost = measure_probe_cost(*thread);
    watch_trace_thread(nullptr, nullptr);
    t_trace = nullptr;
    thread->state.store(static_cast<uint32_t>(ThreadTrace::State::kEnded));
  }
  stop_recording();
  each_trace([](ThreadTrace& thread) {
    if (is_in(thread, ThreadTrace::State::kEnded)) free_ended(thread);
  });
  return cost;
}

}  // namespace

class CallTracing::Running {
 public:
  Running(TraceReader& reader, SwitchCounts* counts, const TraceOptions& options, uint64_t start_ns)
      : options_(options), counts_(counts), emitter_(reader, start_ns) {}

  void begin() {
    begin_ = TickMoment::now();
    std::this_thread::sleep_for(kCalibration);
    update_rate();
    knows_cpu_ = counts_ != nullptr && counts_->begin();
    g_trace.counts = knows_cpu_ ? counts_ : nullptr;
    forget_all();
    cost_ = try_probes(g_trace.counts);
    forget_all();
    if (options_.keeps_slow) g_trace.latency.store(rate_.ticks(options_.latency_ns));
    cpu_ns_ = base::process_cpu_ns();
    start_recording();
  }

  void emit(uint64_t time_us, bool all, std::string* records) {
    update_rate();
    if (spread_us_ == 0) spread_us_ = time_us;
    if (!all && time_us - times_us_ < kTimesPeriodUs) return emit_urgent(records);
    times_us_ = time_us;
    emitter_.begin_round(records);
    each_trace([&](ThreadTrace& thread) { emit_thread(thread, time_us, records); });
    if (all || time_us - spread_us_ >= kSpreadPeriodUs) {
      emitter_.emit_spreads(records);
      spread_us_ = time_us;
    }
    if (options_.budget > 0) keep_to_budget();
    emit_state(time_us, records);
  }

  void end(uint64_t time_us, std::string* records) {
    stop_recording();
    const uint64_t now = trace_ticks();
    emit(time_us, true, records);
    if (options_.keeps_slow) {
      each_trace([&](const ThreadTrace& thread) {
        if (is_current(thread)) emitter_.emit_not_ended(thread, now, records);
      });
      emitter_.emit_waiting(now, records);
      emit_state(time_us, records);
    }
    give_memory_back();
  }

 private:
  static bool is_current(const ThreadTrace& thread) {
    return thread.recording.load(std::memory_order_acquire) == g_trace.last_recording;
  }

  void update_rate() {
    rate_ = rate_between(begin_, TickMoment::now());
    g_trace.ns_per_tick.store(rate_.ns_per_tick, std::memory_order_relaxed);
    emitter_.set_rate(begin_, rate_, knows_cpu_);
  }

  void emit_thread(ThreadTrace& thread, uint64_t time_us, std::string* records) {
    const bool ended = is_in(thread, ThreadTrace::State::kEnded);
    if (is_current(thread)) {
      if (ended && !emitter_.emit_ended(thread, time_us, records)) return;
      if (!ended) emitter_.emit_thread(thread, time_us, records);
      find_switches(thread);
    }
    if (ended) free_ended(thread);
  }

  // What threads wait for, and what there is little room for.
  void emit_urgent(std::string* records) {
    if (options_.keeps_slow) emitter_.emit_nodes(records);
    each_trace([&](ThreadTrace& thread) {
      find_switches(thread);
      if (options_.keeps_slow && is_current(thread)) emitter_.emit_kept(thread, records);
    });
  }

  void find_switches(ThreadTrace& thread) {
    if (!knows_cpu_ || !is_current(thread) || !is_in(thread, ThreadTrace::State::kUsed) ||
        thread.switches.load(std::memory_order_relaxed) != &kAlwaysSwitched)
      return;
    const auto* own = counts_->of(thread.tid.load(std::memory_order_relaxed));
    if (own != nullptr) give_switches(thread, own);
  }

  // Of methods that are called too often. The process's CPU time may be told in steps of milliseconds.
  void keep_to_budget() {
    const std::vector<uint64_t>& calls = emitter_.calls();
    const uint64_t cpu_ns = base::process_cpu_ns();
    const double allowed_ps =
        options_.budget * 1000.0 * static_cast<double>(cpu_ns - std::min(cpu_ns, cpu_ns_));
    const double probe_ps = static_cast<double>(cost_.inside_ps + cost_.outside_ps);
    before_.resize(calls.size());
    for (size_t method = 0; method < calls.size(); ++method) {
      const uint64_t more = calls[method] - std::min(calls[method], before_[method]);
      if (more < kFewCalls || static_cast<double>(more) * probe_ps <= allowed_ps) continue;
      only_count_method(static_cast<uint32_t>(method));
    }
    before_ = calls;
    cpu_ns_ = cpu_ns;
  }

  void emit_state(uint64_t time_us, std::string* records) const {
    const TraceEmitter::Sums& sums = emitter_.sums();
    wire::TraceState state;
    state.time_us = time_us;
    state.latency_ns = options_.keeps_slow ? std::max<uint64_t>(options_.latency_ns, 1) : 0;
    state.clock_ps = cost_.clock_ps;
    state.probe_inside_ps = cost_.inside_ps;
    state.probe_outside_ps = cost_.outside_ps;
    state.kept = sums.kept;
    state.not_kept = sums.not_kept;
    state.too_deep = sums.too_deep;
    state.no_room = sums.no_room + g_trace.no_thread.load(std::memory_order_relaxed);
    state.unmatched = sums.unmatched;
    for (size_t method = 0; method < emitter_.calls().size(); ++method)
      if (only_counts(method)) state.untimed.push_back(method);
    const auto known = sums.without_cpu == 0 ? wire::TraceCpu::kExact : wire::TraceCpu::kSome;
    state.cpu = static_cast<uint32_t>(knows_cpu_ ? known : wire::TraceCpu::kNone);
    state.all = options_.all;
    wire::encode(state, *records);
  }

  // Threads may be in a probe still: what they use stays, as zeroes.
  void give_memory_back() {
    each_trace([](ThreadTrace& thread) {
      give_back_switches(thread);
      thread.switches.store(&kNoSwitches, std::memory_order_relaxed);
      auto* const content = reinterpret_cast<uint8_t*>(thread.map);  // all but what is kept of it
      const auto own = static_cast<size_t>(content - reinterpret_cast<uint8_t*>(&thread));
      drop_trace_pages(content, thread.bytes.load() - own);
    });
    if (knows_cpu_) counts_->end();
    g_trace.counts = nullptr;
    g_trace.latency.store(UINT64_MAX);
    g_trace.memory.drop();
    forget_all();
  }

  const TraceOptions options_;
  SwitchCounts* const counts_;
  TraceEmitter emitter_;
  TickMoment begin_;
  TickRate rate_;
  ProbeCost cost_;
  uint64_t cpu_ns_ = 0, times_us_ = 0, spread_us_ = 0;
  std::vector<uint64_t> before_;
  bool knows_cpu_ = false;
};

void only_count_method(uint32_t method) {
  if (g_trace.untimed != nullptr && method < kMostTracedMethods)
    std::atomic_ref<uint8_t>(g_trace.untimed[method]).store(1, std::memory_order_relaxed);
}

CallTracing::CallTracing(TraceReader& reader, SwitchCounts* counts) : reader_(reader), counts_(counts) {}

CallTracing::~CallTracing() {
  std::string nothing;
  end(0, &nothing);
}

base::Status CallTracing::begin(const TraceOptions& options, uint64_t monotonic_start_ns) {
  if (running_ != nullptr || g_trace.reader != nullptr)
    return base::Status::error("calls of this program are traced already");
  if (base::Status s = reserve_memory(); !s.ok()) return s;
  wait_for_busy();
  each_trace([](ThreadTrace& thread) {
    if (is_in(thread, ThreadTrace::State::kEnded)) free_ended(thread);
  });
  g_trace.reader = &reader_;
  running_ = std::make_unique<Running>(reader_, counts_, options, monotonic_start_ns);
  running_->begin();
  return {};
}

void CallTracing::emit(uint64_t time_us, bool all, std::string* records) {
  if (running_ != nullptr) running_->emit(time_us, all, records);
}

void CallTracing::end(uint64_t time_us, std::string* records) {
  if (running_ == nullptr) return;
  running_->end(time_us, records);
  running_ = nullptr;
  g_trace.reader = nullptr;
}

}  // namespace walkabout::agent
