#include "agent/windows/thread_table.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/clock.h"

namespace walkabout::agent {

ThreadTable::Entry* ThreadTable::find(pid_t tid) {
  const auto it = slot_of_.find(tid);
  return it == slot_of_.end() ? nullptr : entries_[it->second].get();
}

void ThreadTable::arm(pid_t tid, clr::ThreadID clr, bool from_birth) {
  const std::lock_guard lock(mutex_);
  arm_locked(tid, clr, from_birth);
}

// REQUIRES: the lock.
bool ThreadTable::take_slot(uint32_t* slot) {
  if (free_.empty() && entries_.size() >= wire::kMaxSlots) {
    problem_ =
        "more than " + std::to_string(wire::kMaxSlots) + " threads at once: the ones above are not sampled";
    return false;
  }
  *slot = free_.empty() ? static_cast<uint32_t>(entries_.size()) : free_.back();
  if (base::Status backed = rings_.back(*slot); !backed.ok()) {
    problem_ = backed.message() + "; a thread is not sampled";
    return false;
  }
  if (free_.empty())
    entries_.emplace_back();
  else
    free_.pop_back();
  return true;
}

// REQUIRES: the lock.
void ThreadTable::arm_locked(pid_t tid, clr::ThreadID clr, bool from_birth) {
  if (stopped_ || std::find(excluded_.begin(), excluded_.end(), tid) != excluded_.end()) return;
  if (Entry* known = find(tid); known != nullptr && !known->thread.gone()) {
    if (clr == 0 || known->clr == clr) return;
    known->clr = clr;
    known->managed = known->changed = true;
    return;
  } else if (known != nullptr) {
    end(*known);  // another thread has its number
  }
  ThreadHandle thread(tid);
  uint32_t slot = 0;
  if (!thread.valid() || thread.gone() || !take_slot(&slot)) return;
  auto entry = std::make_unique<Entry>();
  entry->id = base::ThreadId(next_id_++);
  entry->tid = tid;
  entry->slot = slot;
  entry->clr = clr;
  entry->managed = clr != 0;
  entry->stack = thread.stack();
  entry->first_seen_ns = base::monotonic_ns();
  wire::SlotHeader* shared = rings_.slot(slot);
  entry->counted_from_ns = from_birth ? 0 : thread.cpu_ns(rate_);
  shared->last_cpu_ns.store(entry->counted_from_ns, std::memory_order_relaxed);
  shared->tid.store(static_cast<uint32_t>(tid), std::memory_order_relaxed);
  shared->thread.store(entry->id.value, std::memory_order_relaxed);
  entry->thread = std::move(thread);
  entries_[slot] = std::move(entry);
  slot_of_[tid] = slot;
}

bool ThreadTable::set_managed_name(pid_t tid, std::string& name) {
  const std::lock_guard lock(mutex_);
  Entry* e = find(tid);
  if (e == nullptr) return false;
  e->managed_name = std::move(name);
  e->changed = true;
  return true;
}

// The walk that is under way was begun before the id was taken out, and needs no lock to end: a thread that
// is stopped in here is resumed by it.
void ThreadTable::destroyed(clr::ThreadID clr) {
  {
    const std::lock_guard lock(mutex_);
    for (auto& e : entries_) {
      if (e != nullptr && e->clr == clr) e->clr = 0;
    }
  }
  while (walking_.load(std::memory_order_acquire) == clr)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void ThreadTable::exclude(pid_t tid) {
  const std::lock_guard lock(mutex_);
  excluded_.push_back(tid);
}

// REQUIRES: the lock.
void ThreadTable::end(Entry& e) {
  const uint64_t last = rings_.slot(e.slot)->last_cpu_ns.load(std::memory_order_relaxed);
  const uint64_t total = e.thread.cpu_ns(rate_);
  e.unsampled_ns = total > last ? total - last : 0;
  slot_of_.erase(e.tid);
  e.ended = true;
}

void ThreadTable::update(const std::vector<pid_t>& alive) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  for (auto& e : entries_) {
    if (e != nullptr && !e->ended && e->thread.gone()) end(*e);
  }
  for (pid_t tid : alive) {
    if (slot_of_.find(tid) == slot_of_.end()) arm_locked(tid, 0, true);
  }
}

void ThreadTable::targets(std::vector<Target>* targets) {
  targets->clear();
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  for (const auto& e : entries_) {
    if (e == nullptr || e->ended) continue;
    if (e->stack.hi == 0) e->stack = e->thread.stack();  // it was about to begin
    if (e->stack.hi != 0) targets->push_back({e->slot, e->tid, &e->thread, e->stack, rings_.slot(e->slot)});
  }
}

clr::ThreadID ThreadTable::begin_walk(uint32_t slot) {
  const std::lock_guard lock(mutex_);
  const clr::ThreadID clr = entries_[slot] != nullptr ? entries_[slot]->clr : 0;
  walking_.store(clr, std::memory_order_release);
  return clr;
}

void ThreadTable::view(std::vector<ThreadView>* threads, bool all_changed) {
  threads->clear();
  const std::lock_guard lock(mutex_);
  for (auto& e : entries_) {
    if (e == nullptr) continue;
    const bool changed = e->changed || all_changed;
    threads->push_back({e->id, e->tid, e->slot, e->managed, e->ended, changed, e->first_seen_ns,
                        e->unsampled_ns, e->counted_from_ns, changed ? e->managed_name : std::string()});
    e->changed = false;
  }
}

void ThreadTable::release(uint32_t slot) {
  const std::lock_guard lock(mutex_);
  gone_.add(*rings_.slot(slot));
  entries_[slot].reset();
  free_.push_back(slot);
  gone_.publish(&rings_.header()->gone);
}

uint64_t ThreadTable::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (auto& e : entries_) {
    if (e != nullptr && !e->ended) end(*e);
  }
  return base::process_cpu_ns();
}

base::ThreadId ThreadTable::new_id() {
  const std::lock_guard lock(mutex_);
  return base::ThreadId(next_id_++);
}

ThreadTable::Totals ThreadTable::totals() const {
  const std::lock_guard lock(mutex_);
  Totals t = gone_;
  for (const auto& e : entries_) {
    if (e != nullptr) t.add(*rings_.slot(e->slot));
  }
  return t;
}

std::string ThreadTable::take_problem() {
  const std::lock_guard lock(mutex_);
  if (problem_said_ || problem_.empty()) return {};
  problem_said_ = true;
  return std::move(problem_);
}

}  // namespace walkabout::agent
