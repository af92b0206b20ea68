#include "agent/linux/thread_table.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "agent/linux/handler/tick_signal.h"
#include "agent/linux/proc_self.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kNextToNothingNs = 10'000'000;
constexpr uint64_t kLatelyNs = 1'000'000'000;

}  // namespace

ThreadTable::ThreadTable(DescriptorHost& host, Rings& rings, const Clocking& clocking)
    : ThreadRegister(rings),
      host_(host),
      clocking_(clocking),
      random_(static_cast<uint32_t>(base::monotonic_ns())) {}

ThreadTable::~ThreadTable() {
  stop();
  for (ThreadSlot& slot : slots_.first(entries_.size())) {
    slot.tid.store(0, std::memory_order_relaxed);
    unwind::MappedMemo(slot.memo).reset();
    unwind::MappedMemo(slot.callback_memo).reset();
    slot.memo = slot.callback_memo = nullptr;
    slot.callback_ring = nullptr;
    slot.shared = nullptr;
  }
}

bool ThreadTable::abandon(uint32_t timeout_ms) {
  {
    const base::Lock lock(mutex_);
    for (ThreadSlot& slot : slots_.first(entries_.size())) slot.tid.store(0);
  }
  unwind::ReaderGate::Grace grace(tick_gate());
  for (uint32_t i = 0; !grace.over(); ++i) {
    if (i == timeout_ms) return false;
    ::usleep(1000);
  }
  return true;
}

void ThreadTable::give_clocks() {
  const base::Lock lock(mutex_);
  clocking_.ticks = true;
}

void ThreadTable::arm(pid_t tid, clr::ThreadID clr, bool from_start) {
  const base::Lock lock(mutex_);
  const uint64_t counted_from_ns = from_start ? 0 : base::clock_ns(base::thread_cpu_clock(tid));
  host_.call([&]() WALKABOUT_REQUIRES(mutex_) { arm_locked(tid, clr, counted_from_ns); });
}

void ThreadTable::arm_present(const std::vector<pid_t>& tids) {
  const base::Lock lock(mutex_);
  std::vector<uint64_t> used_ns;
  used_ns.reserve(tids.size());
  for (pid_t tid : tids) used_ns.push_back(base::clock_ns(base::thread_cpu_clock(tid)));
  host_.call([&]() WALKABOUT_REQUIRES(mutex_) {
    for (size_t i = 0; i < tids.size(); ++i) arm_locked(tids[i], 0, used_ns[i]);
  });
}

// REQUIRES: inside work of the host. counted_from_ns: the thread's CPU time before that is not ours; 0: it is
// there from its birth.
void ThreadTable::arm_locked(pid_t tid, clr::ThreadID clr, uint64_t counted_from_ns) {
  if (stopped_ || excluded(tid)) return;
  if (SampledThread* known = find(tid); known != nullptr && thread_gone(known->tid, known->clock)) {
    end(*known);  // another thread has its number
  } else if (known != nullptr) {
    look_at_blocked(*known);
    if (clr == 0) return;
    slots_[known->slot].clr_thread.store(clr, std::memory_order_relaxed);
    if (!known->managed) known->managed = known->changed = true;
    ++changes_;
    return;
  }
  std::unique_ptr<SampledThread> thread = new_entry(tid, clr != 0);
  if (thread == nullptr) {
    const WithoutRing seen{base::monotonic_ns(), counted_from_ns, counted_from_ns, counted_from_ns};
    if (without_ring_.try_emplace(tid, seen).second) ++unsampled_.threads;
    unsampled_.cause = problem_;
    return;
  }
  if (const auto refused = without_ring_.find(tid); refused != without_ring_.end()) {
    --unsampled_.threads;  // all it used that was not emitted yet is its first sample's
    counted_from_ns = std::max(counted_from_ns, refused->second.reported_ns);
    without_ring_.erase(refused);
  }
  thread->cpu_at_start_ns = base::clock_ns(base::thread_cpu_clock(tid));
  thread->counted_from_ns = counted_from_ns;
  prepare_slot(*thread);
  ThreadSlot& s = slots_[thread->slot];
  s.was_here = counted_from_ns != 0;
  s.clr_thread = clr;
  s.tid.store(tid, std::memory_order_release);  // partner: find_slot() in the handler
  if (base::Status opened = open_clock(*thread); !opened.ok()) {
    close_clock(&thread->clock);
    if (thread_gone(tid, thread->clock)) {  // meanwhile, which is no shortcoming
      s.tid.store(0, std::memory_order_relaxed);
      s.clr_thread.store(0, std::memory_order_relaxed);
      return dismiss(*thread);
    }
    unsampled_.cause = opened.message();
  }
  admit(std::move(thread));
  ++changes_;
}

// Nobody has it yet.
void ThreadTable::prepare_slot(const SampledThread& thread) {
  introduce(thread);
  ThreadSlot& s = slots_[thread.slot];
  s.shared = rings_.slot(thread.slot);
  if (s.memo == nullptr) s.memo = unwind::map_memo().release();  // kept for the slot's next thread
  s.stack_lo = s.stack_hi = s.stack_end = s.wants_bounds = 0;
  s.throttle.reset();
  s.first_tick = true;
  s.was_here = false;
  s.clr_thread = 0;
  s.in_jit = 0;
  s.perf_fd = -1;
  s.rider.clear();
  s.callback_ring = nullptr;
  s.callback_refused = false;
  s.callback_throttle.reset();
}

// Inside work of the host: the memory is opened there.
ThreadSlot* ThreadTable::open_callback_lane(uint32_t slot) {
  ThreadSlot& s = slots_[slot];
  if (s.callback_ring != nullptr) return &s;
  if (!rings_.back_callback_lane(slot).ok()) return &s;
  if (s.callback_memo == nullptr) s.callback_memo = unwind::map_memo().release();
  s.callback_ring = rings_.lane(slot, wire::Lane::kCallback);
  return &s;
}

ThreadSlot* ThreadTable::callback_slot() {
  ThreadSlot* slot = current_slot();
  if (slot != nullptr && (slot->callback_ring != nullptr || slot->callback_refused)) return slot;
  const base::Lock lock(mutex_);
  const SampledThread* e = find(static_cast<pid_t>(::syscall(SYS_gettid)));
  if (e == nullptr) return nullptr;
  slot = &slots_[e->slot];
  host_.call([&]() WALKABOUT_REQUIRES(mutex_) { slot = open_callback_lane(e->slot); });
  slot->callback_refused = slot->callback_ring == nullptr;
  keep_slot(slot);
  return slot;
}

ThreadSlot* ThreadTable::add_writer() {
  const base::Lock lock(mutex_);
  if (stopped_) return nullptr;
  const auto tid = static_cast<pid_t>(::syscall(SYS_gettid));
  ThreadSlot* slot = nullptr;
  host_.call([&]() WALKABOUT_REQUIRES(mutex_) {
    std::unique_ptr<SampledThread> thread = new_entry(tid, false);
    if (thread == nullptr) return;
    thread->writer = true;
    prepare_slot(*thread);
    slot = open_callback_lane(thread->slot);
    admit(std::move(thread));
  });
  return slot;
}

ThreadTable::Living ThreadTable::living_of(const SampledThread& e) const {
  const ThreadSlot& s = slots_[e.slot];
  Living thread;
  thread.id = e.id;
  thread.tid = e.tid;
  thread.slot = e.slot;
  thread.stack_hi = s.stack_hi.load(std::memory_order_acquire);  // partner: set_stack()
  thread.stack_lo = s.stack_lo.load(std::memory_order_relaxed);
  thread.first_seen_ns = e.first_seen_ns;
  thread.counted_from_ns = e.counted_from_ns;
  thread.runtime_thread = s.clr_thread.load(std::memory_order_relaxed);
  thread.ending_ns = e.ending_ns;
  thread.used_ns = e.seen_cpu_ns;
  return thread;
}

void ThreadTable::list_living(std::vector<Living>* threads) const {
  threads->clear();
  for (const auto& e : entries_) {
    if (e != nullptr && !e->writer) threads->push_back(living_of(*e));
  }
}

void ThreadTable::living(std::vector<Living>* threads) const {
  const base::Lock lock(mutex_);
  list_living(threads);
}

void ThreadTable::keep_released() {
  const base::Lock lock(mutex_);
  keeps_released_ = true;
}

void ThreadTable::living(std::vector<Living>* threads, std::vector<Living>* released) {
  released->clear();
  const base::Lock lock(mutex_);
  list_living(threads);
  released->swap(released_);
}

const SampledThread* ThreadTable::entry_of(base::ThreadId id) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [id](const auto& e) { return e != nullptr && e->id == id; });
  return found == entries_.end() ? nullptr : found->get();
}

std::optional<ThreadTable::Living> ThreadTable::living_at(uint32_t slot) const {
  const base::Lock lock(mutex_);
  if (slot >= entries_.size() || entries_[slot] == nullptr || entries_[slot]->writer) return {};
  return living_of(*entries_[slot]);
}

bool ThreadTable::leave_rider(const Living& thread, base::SourceId source, uint64_t value,
                              const std::array<uint64_t, kMostRiderLabels>& label, uint32_t labels) {
  const base::Lock lock(mutex_);
  const SampledThread* e = find(thread.tid);
  if (stopped_ || e == nullptr || e->id != thread.id) return false;
  if (!has_clock(*e)) return false;
  slots_[e->slot].rider.leave(source, value, label, labels);
  return true;
}

uint64_t ThreadTable::take_back_rider(const Living& thread) {
  const base::Lock lock(mutex_);
  const SampledThread* e = find(thread.tid);
  if (e == nullptr || e->id != thread.id) e = entry_of(thread.id);
  if (e != nullptr) return slots_[e->slot].rider.take().value;
  const auto released = std::find_if(released_.begin(), released_.end(),
                                     [&](const Living& other) { return other.id == thread.id; });
  return released == released_.end() ? 0 : std::exchange(released->untaken, 0);
}

void ThreadTable::clear_clr_thread(clr::ThreadID clr) {
  const base::Lock lock(mutex_);
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (slots_[i].clr_thread.load(std::memory_order_relaxed) == clr)
      slots_[i].clr_thread.store(0, std::memory_order_relaxed);
  }
}

void ThreadTable::note_cpu(pid_t tid, uint64_t cpu_ns) {
  const base::Lock lock(mutex_);
  SampledThread* e = find(tid);
  if (e == nullptr) return;
  e->seen_cpu_ns = cpu_ns;
  e->ending_ns = base::monotonic_ns();
  ++changes_;
  uint64_t counted = e->cpu_at_start_ns;
  host_.call([&] { counted += counted_ns(e->clock); });
  e->ahead_ns = counted > cpu_ns ? counted - cpu_ns : 0;
}

void ThreadTable::set_stack(pid_t tid, uint64_t lo, uint64_t hi, uint64_t end) {
  const base::Lock lock(mutex_);
  if (SampledThread* e = find(tid); e != nullptr) {
    ThreadSlot& s = slots_[e->slot];
    s.stack_lo.store(lo, std::memory_order_relaxed);
    s.stack_end.store(end, std::memory_order_relaxed);
    s.stack_hi.store(hi, std::memory_order_release);  // partner: memory_of() in the handler
    s.wants_bounds.store(0, std::memory_order_relaxed);
    ++changes_;
  }
}

// All CPU time of a thread. Weights are made of its CPU clock, as the process's time is. Its perf clock,
// which can be read when the thread is gone, also counts what a hypervisor took from the machine meanwhile
// (steal time): under a busy host 1% to 2% more. Source: update_rq_clock_task() and perf_event_update_time()
// in the kernel.
uint64_t ThreadTable::used_ns(const SampledThread& e) {
  if (!thread_gone(e.tid, e.clock)) {
    const uint64_t now = base::clock_ns(base::thread_cpu_clock(e.tid));
    if (now != 0) return std::max(e.seen_cpu_ns, now);  // 0: it went in this moment
  }
  const uint64_t counted = counted_ns(e.clock);  // 0: a timer, which tells nothing now
  return counted == 0 ? e.seen_cpu_ns : e.cpu_at_start_ns + counted - std::min(counted, e.ahead_ns);
}

// REQUIRES: inside work of the host.
void ThreadTable::end(SampledThread& e) { end(e, used_ns(e)); }

void ThreadTable::end(SampledThread& e, uint64_t used) {
  mark_ended(e, used);
  e.seen_cpu_ns = std::max(e.seen_cpu_ns, used);
  if (e.ending_ns == 0) e.ending_ns = base::monotonic_ns();
  ++changes_;
  if (!clocking_.ticks) {
    e.without_clock = false;
  } else if (!has_clock(e)) {
    e.without_clock = true;
    count_unsampled(e, used - std::min(used, e.counted_from_ns));
  } else if (e.refused) {
    ++by_timer_.threads;
  }
  close_clock(&e.clock);
  slots_[e.slot].perf_fd = -1;
  slots_[e.slot].wants_bounds.store(0, std::memory_order_relaxed);
}

// Threads that wait for signals have all blocked, and use next to nothing.
void ThreadTable::count_unsampled(const SampledThread& e, uint64_t used_ns) {
  if (e.blocks && used_ns < kNextToNothingNs) return;
  ++unsampled_.threads;
  unsampled_.cpu_ns += used_ns;
  if (e.blocks) unsampled_.cause = "the program blocks the signal there that ticks come as";
}

// A listing may miss threads while others come and go, and a number may be another thread's by now: the
// clocks say who is gone.
void ThreadTable::update(const std::vector<pid_t>& alive) {
  const base::Lock lock(mutex_);
  if (!stopped_) host_.call([&]() WALKABOUT_REQUIRES(mutex_) { update_locked(alive); });
}

// REQUIRES: inside work of the host.
void ThreadTable::update_locked(const std::vector<pid_t>& alive) {
  for (auto& e : entries_) {
    if (e == nullptr || e->ended || e->writer) continue;
    if (thread_gone(e->tid, e->clock)) {
      end(*e);
    } else {
      if (e->clock.perf_fd < 0)
        e->seen_cpu_ns = std::max(e->seen_cpu_ns, base::clock_ns(base::thread_cpu_clock(e->tid)));
      look_at_blocked(*e);
      look_at_switches(*e);
    }
  }
  for (pid_t tid : alive) {
    if (slot_of_.find(tid) == slot_of_.end()) arm_locked(tid, 0, 0);
  }
  look_at_those_without_ring();
}

bool ThreadTable::look_at_beginners() {
  const base::Lock lock(mutex_);
  const uint64_t now_ns = base::monotonic_ns();
  const auto begins = [now_ns](const auto& e) {
    return e != nullptr && e->blocks && !e->ended && now_ns - e->first_seen_ns < kLatelyNs;
  };
  if (stopped_ || std::none_of(entries_.begin(), entries_.end(), begins)) return false;
  bool one_still_blocks = false;
  host_.call([&]() WALKABOUT_REQUIRES(mutex_) {
    for (auto& e : entries_) {
      if (!begins(e)) continue;
      look_at_blocked(*e);
      one_still_blocks = one_still_blocks || e->blocks;
    }
  });
  return one_still_blocks;
}

void ThreadTable::look_at_those_without_ring() {
  for (auto at = without_ring_.begin(); at != without_ring_.end();) {
    const uint64_t now = base::clock_ns(base::thread_cpu_clock(at->first));
    at->second.cpu_ns = std::max(at->second.cpu_ns, now);
    if (now == 0) {  // it has ended
      end_without_ring(at->first, at->second);
      at = without_ring_.erase(at);
    } else {
      ++at;
    }
  }
}

void ThreadTable::end_without_ring(pid_t tid, const WithoutRing& thread) {
  unsampled_.cpu_ns += thread.cpu_ns - thread.counted_from_ns;
  refused_.push_back({tid, thread.first_seen_ns, thread.cpu_ns - thread.reported_ns});
}

void ThreadTable::release(uint32_t slot) {
  const base::Lock lock(mutex_);
  slots_[slot].tid.store(0, std::memory_order_relaxed);
  // Who reads it looks at the runtime's object, which may be gone.
  slots_[slot].clr_thread.store(0, std::memory_order_relaxed);
  const SampledThread& e = *entries_[slot];
  if (keeps_released_ && !e.writer && released_.size() < kMostReleased) {
    released_.push_back(living_of(e));
    released_.back().untaken = slots_[slot].rider.take().value;
  }
  erase(slot);
  ++changes_;
  // Threads that stop() ended live on, and may be in a handler: their rings stay as long as the process.
  if (stopped_) return;
  rings_.give_back(slot);
  gone_.publish(&rings_.header()->gone);
}

std::string ThreadTable::os_name(pid_t tid) {
  std::string name;
  host_.call([&] { name = thread_name(tid); });
  return name;
}

}  // namespace walkabout::agent
