// The clocks of all threads: how each gets one, at which rate they tick, what was refused, and their common
// end.
#include <unistd.h>

#include <algorithm>
#include <random>
#include <utility>

#include "agent/linux/blocked_thread.h"
#include "agent/linux/handler/tick_signal.h"
#include "agent/linux/proc_self.h"
#include "agent/linux/thread_table.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/linux/tick_filter.h"
#include "base/system_error.h"
#include "wire/limits.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kMomentNs = 100'000;  // of CPU time: all clocks are read in it
constexpr uint64_t kMomentOfAThreadNs = 4'000;
constexpr int kMostReadings = 16;
// Of CPU time. The filter may refuse tick after tick, as in a handler of ours; a perf event then repeats the
// period, whose ticks must leave the thread time to get on.
constexpr uint64_t kAskedAfterNs = wire::kMinIntervalNs;
constexpr uint64_t kRingLookNs = 5'000'000'000;
constexpr uint64_t kNeverNs = uint64_t{1} << 60;  // of CPU time: 36 years

std::string threads(uint32_t n, const char* one_did, const char* they_did) {
  return n == 1 ? std::string("1 thread ") + one_did : std::to_string(n) + " threads " + they_did;
}

}  // namespace

// A perf event may be refused to a thread where another had one: the program gave up its rights meanwhile, or
// its limit of descriptors is reached. A timer needs neither.
// Who blocks the signal and takes signals by waiting for any would be given ticks; who blocks it and does not
// has none of them either way. Where ticks are traps the filter leaves them out.
base::Status ThreadTable::open_clock(SampledThread& e) {
  e.refused = false;
  if (!clocking_.ticks) return {};
  const bool traps = clocking_.engine == wire::Engine::kPerf && clocking_.kernel_ticks;
  if (traps && e.by_timer && blocks_signal(e.tid, clocking_.signal)) {
    e.by_timer = false;
    e.keeps_event = true;
  }
  e.blocks = !traps && blocks_signal(e.tid, clocking_.signal);
  if (e.blocks) return {};
  const uint64_t first = first_period_ns();
  base::Status refused;
  if (clocking_.engine == wire::Engine::kPerf && !e.by_timer) {
    refused = open_event(e, first);
    if (refused.ok()) return {};
    close_clock(&e.clock);
    slots_[e.slot].perf_fd = -1;
  }
  e.blocks = traps && blocks_signal(e.tid, clocking_.signal);
  if (e.blocks) return {};
  base::Status timer =
      open_timer_clock(e.tid, e.slot, first, clocking_.interval_ns, clocking_.signal, &e.clock);
  if (refused.ok()) return timer;
  if (!timer.ok()) return base::Status::error(refused.message() + "; " + timer.message());
  e.refused = true;
  by_timer_.cause = refused.message();
  return {};
}

// Its clock is as it should be, or changes. Only the ticks of the thread itself say that it runs at all.
void ThreadTable::look_at_switches(SampledThread& e) {
  if (!clocking_.may_use_timers || e.refused || e.blocks || !has_clock(e)) return;
  const ThreadClock has = e.by_timer ? ThreadClock::kTimer : ThreadClock::kPerfEvent;
  e.switches.looks(slots_[e.slot].shared->cpu().attempts.load(std::memory_order_relaxed), e.seen_cpu_ns);
  const bool fine_enough = clocking_.interval_ns >= kernel_tick_ns_;
  if (e.by_timer) {
    const bool lacks_ticks = e.switches.lacks_ticks(e.seen_cpu_ns, clocking_.interval_ns);
    e.keeps_event = e.keeps_event || lacks_ticks || !may_tick_by_timer(e);
    if (e.keeps_event || !fine_enough) return change_clock(e, ThreadClock::kPerfEvent);
  }
  if (e.keeps_event || !fine_enough || !e.switches.is_due()) return;
  const std::optional<SchedCounts> counts = counts_of(e.tid);
  if (!counts) return;
  const ThreadClock wants = e.switches.judge(*counts, has);
  if (wants == has) return;
  e.keeps_event = wants == ThreadClock::kTimer && !may_tick_by_timer(e);
  if (!e.keeps_event) change_clock(e, wants);
}

bool ThreadTable::has_clock(const SampledThread& e) { return e.clock.perf_fd >= 0 || e.clock.has_timer; }

// Where the timer's signal could be noticed it is none: in a thread that blocks it, and in waits for a ring
// (handler/ring_wait.h).
bool ThreadTable::may_tick_by_timer(const SampledThread& e) {
  const uint64_t now_ns = base::monotonic_ns();
  if (ring_looked_ns_ == 0 || now_ns - ring_looked_ns_ >= kRingLookNs) {
    has_ring_ = maps_io_ring();
    ring_looked_ns_ = now_ns;
  }
  return !has_ring_ && !blocks_signal(e.tid, clocking_.signal);
}

// The old clock goes once the new one is there: a thread that ends meanwhile is told by the old one.
void ThreadTable::change_clock(SampledThread& e, ThreadClock clock) {
  const uint64_t cpu_at_start_ns = e.cpu_at_start_ns, seen_cpu_ns = e.seen_cpu_ns, ahead_ns = e.ahead_ns;
  CpuClock before = std::exchange(e.clock, CpuClock());
  e.by_timer = clock == ThreadClock::kTimer;
  const base::Status opened = open_anew(e);
  if (opened.ok() && has_clock(e) && e.seen_cpu_ns != 0) {
    slots_[e.slot].perf_fd = e.clock.perf_fd;
    close_clock(&before);
    if (e.by_timer && !std::exchange(e.was_by_timer, true)) ++switched_often_;
    return;
  }
  close_clock(&e.clock);
  e.clock = before;
  e.cpu_at_start_ns = cpu_at_start_ns, e.seen_cpu_ns = seen_cpu_ns, e.ahead_ns = ahead_ns;
  e.by_timer = before.has_timer;
  e.keeps_event = !e.by_timer;
  e.refused = e.blocks = false;
  slots_[e.slot].perf_fd = before.perf_fd;
}

// A random one: threads that live for less than one interval are seen with the right probability. A perf
// event repeats it until the host has set the interval. So it is no shorter than an interval may be: where
// the kernel's work for a tick takes longer than the period, the thread comes to nothing else, its first
// tick's handler included, and the host is never told.
uint64_t ThreadTable::first_period_ns() {
  const uint64_t interval = clocking_.interval_ns;
  const uint64_t least = std::min(interval, std::max(interval / 64, wire::kMinIntervalNs));
  return std::uniform_int_distribution<uint64_t>(least, interval)(random_);
}

// For one that had another clock, or none.
base::Status ThreadTable::open_anew(SampledThread& e) {
  e.cpu_at_start_ns = e.seen_cpu_ns = base::clock_ns(base::thread_cpu_clock(e.tid));
  e.ahead_ns = 0;
  slots_[e.slot].first_tick = true;
  base::Status opened = open_clock(e);
  if (!opened.ok()) close_clock(&e.clock);
  return opened;
}

// Whether it still blocks the signal for which it has no clock.
void ThreadTable::look_at_blocked(SampledThread& e) {
  if (!e.blocks || blocks_signal(e.tid, clocking_.signal)) return;
  if (base::Status opened = open_anew(e); !opened.ok()) unsampled_.cause = opened.message();
}

base::Status ThreadTable::open_event(SampledThread& e, uint64_t first_ns) {
  base::Status status = clocking_.kernel_ticks ? open_trap(e, first_ns) : open_perf(e, first_ns);
  if (!status.ok()) return status;
  slots_[e.slot].perf_fd = e.clock.perf_fd;
  return start_perf_clock(e.clock);
}

base::Status ThreadTable::open_perf(SampledThread& e, uint64_t first_ns) {
  base::Status status = open_perf_clock(host_, e.tid, first_ns, clocking_.signal, &e.clock);
  if (status.ok() && !map_fd(e.clock.perf_fd, e.slot))
    return base::Status::error("too many open files to tell one more perf event from them");
  return status;
}

base::Status ThreadTable::open_trap(SampledThread& e, uint64_t first_ns) {
  return open_filtered(e.tid, e.slot, first_ns, &e.clock);
}

base::Status ThreadTable::open_filtered(pid_t tid, uint32_t data, uint64_t first_ns, CpuClock* clock) {
  // The program may close what it finds in its table and reuse the number: no filter is kept open there.
  if (!host_.apart()) {
    const base::Fd filter(base::load_tick_filter(on_trap, wake_handler(), tick_stack()));
    return open_trap_clock(host_, tid, data, first_ns, filter.get(), clock);
  }
  if (filter_ < 0) filter_ = host_.kept(base::load_tick_filter(on_trap, wake_handler(), tick_stack()));
  if (filter_ < 0) return base::system_error("bpf");
  return open_trap_clock(host_, tid, data, first_ns, filter_, clock);
}

// Of the kind that threads' ticks are of. Where these are perf events that come as a signal, whose
// descriptors the handler would have to know, a timer does it.
base::Status ThreadTable::open_asking_clock(const Living& thread, uint32_t data, CpuClock* clock) {
  const base::Lock lock(mutex_);
  const SampledThread* e = find(thread.tid);
  const bool ticks = e != nullptr && (e->clock.perf_fd >= 0 || e->clock.has_timer);
  if (stopped_ || !ticks || e->id != thread.id) return base::Status::error("the thread has no clock");
  base::Status opened;
  host_.call([&]() WALKABOUT_REQUIRES(mutex_) {
    if (clocking_.engine != wire::Engine::kPerf || !clocking_.kernel_ticks || e->refused) {
      opened = open_timer_clock(thread.tid, data, kAskedAfterNs, 0, clocking_.signal, clock);
      return;
    }
    opened = open_filtered(thread.tid, data, kAskedAfterNs, clock);
    if (opened.ok()) opened = start_perf_clock_once(*clock);
    if (!opened.ok()) close_clock(clock);
  });
  return opened;
}

// First what a thread's first tick will set, then what ticks already: none is left at the old rate.
void ThreadTable::set_interval(uint64_t interval_ns) {
  const base::Lock lock(mutex_);
  clocking_.interval_ns = interval_ns;
  set_tick_interval(interval_ns);
  host_.call([&]() WALKABOUT_REQUIRES(mutex_) {
    for (auto& e : entries_) {
      if (e != nullptr && !e->ended && !e->writer) set_clock_interval(e->clock, interval_ns);
    }
  });
}

size_t ThreadTable::move_to(int signal, bool traps_stay) {
  const base::Lock lock(mutex_);
  size_t moved = 0;
  if (stopped_) return moved;
  clocking_.signal = signal;
  clocking_.kernel_ticks = traps_stay;
  host_.call([&]() WALKABOUT_REQUIRES(mutex_) {
    for (auto& e : entries_) {
      if (e == nullptr || e->ended || e->writer) continue;
      if (thread_gone(e->tid, e->clock)) {
        end(*e);
        continue;
      }
      if (traps_stay && e->clock.perf_fd >= 0) continue;
      ++moved;
      close_clock(&e->clock);
      slots_[e->slot].perf_fd = -1;
      if (base::Status opened = open_anew(*e); !opened.ok()) unsampled_.cause = opened.message();
    }
  });
  return moved;
}

// First no thread ticks any more, then all are counted to one moment.
uint64_t ThreadTable::stop() {
  const base::Lock lock(mutex_);
  stopped_ = true;
  uint64_t process_ns = 0;
  host_.call([&]() WALKABOUT_REQUIRES(mutex_) {
    std::vector<std::pair<SampledThread*, uint64_t>> living;
    living.reserve(entries_.size());
    for (auto& e : entries_) {
      if (e == nullptr || e->ended || e->writer) continue;
      if (thread_gone(e->tid, e->clock)) {
        end(*e);
        continue;
      }
      set_clock_interval(e->clock, kNeverNs);
      living.emplace_back(e.get(), 0);
    }
    process_ns = count_living(living);
    for (const auto& [thread, used] : living) end(*thread, used);
    for (const auto& [tid, thread] : without_ring_) end_without_ring(tid, thread);
    without_ring_.clear();
    if (filter_ >= 0) ::close(std::exchange(filter_, -1));
  });
  return process_ns;
}

// The host may lose its processor between two clocks while the program goes on. All are read again until the
// program used next to nothing in between.
// REQUIRES: inside work of the host.
uint64_t ThreadTable::count_living(std::vector<std::pair<SampledThread*, uint64_t>>& living) {
  const uint64_t one_moment_ns = kMomentNs + living.size() * kMomentOfAThreadNs;
  uint64_t process_ns = 0;
  for (int i = 0; i < kMostReadings; ++i) {
    const uint64_t before_ns = base::process_cpu_ns();
    for (auto& [thread, used] : living) {
      const uint64_t now = base::clock_ns(base::thread_cpu_clock(thread->tid));
      used = now != 0 ? std::max(thread->seen_cpu_ns, now) : used_ns(*thread);  // 0: it went in this moment
    }
    for (auto& [tid, thread] : without_ring_)
      thread.cpu_ns = std::max(thread.cpu_ns, base::clock_ns(base::thread_cpu_clock(tid)));
    process_ns = base::process_cpu_ns();
    if (process_ns - before_ns <= one_moment_ns) break;
  }
  return process_ns;
}

std::string ThreadTable::timers_note() const {
  const base::Lock lock(mutex_);
  if (switched_often_ == 0) return "";
  return threads(switched_often_, "was", "were") +
         " switched so often that a perf event would have cost much: CPU timers ticked there";
}

std::vector<std::string> ThreadTable::shortcomings() const {
  const base::Lock lock(mutex_);
  std::vector<std::string> all;
  if (unsampled_.threads > 0) {
    const uint64_t ms = unsampled_.cpu_ns / 1'000'000;
    std::string rest = std::to_string(ms % 1000);
    rest.insert(0, 3 - rest.size(), '0');
    all.push_back(threads(unsampled_.threads, "was", "were") + " not sampled: " + std::to_string(ms / 1000) +
                  "." + rest + " s of CPU time (" + unsampled_.cause + ")");
  }
  if (by_timer_.threads > 0)
    all.push_back(threads(by_timer_.threads, "ticked", "ticked") +
                  " by CPU timers, because their perf events were refused (" + by_timer_.cause + ")");
  return all;
}

}  // namespace walkabout::agent
