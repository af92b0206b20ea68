// What the table of threads keeps on every system: who has which slot, under which number, id and name; who
// is left out; what those that are gone had counted; what went wrong. One lock, which the table takes too.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agent/shared/rings.h"
#include "agent/shared/thread_view.h"
#include "base/clock.h"
#include "base/ids.h"
#include "base/mutex.h"

namespace walkabout::agent {

// A thread, from its first sight until its last sample was taken.
struct ThreadEntry {
  base::ThreadId id;
  pid_t tid = 0;
  uint32_t slot = 0;
  uint64_t first_seen_ns = 0;
  uint64_t unsampled_ns = 0;
  uint64_t counted_from_ns = 0;  // see ThreadView
  bool managed = false;
  bool ended = false;
  bool without_clock = false;
  bool writer = false;  // see ThreadView
  bool changed = true;
  std::string managed_name;
};

template <class Entry>  // a ThreadEntry
class ThreadRegister {
 public:
  // False if there is no such thread; the name is as it was then.
  bool set_managed_name(pid_t tid, std::string& name);
  // Never sampled: the agent's own threads.
  void exclude(pid_t tid);
  // The spooler's: all threads now known; `changed` is reset by it. all_changed: everything is to be emitted
  // again.
  void view(std::vector<ThreadView>* threads, bool all_changed = false);
  // An id for a thread that is not sampled.
  base::ThreadId new_id();
  // Of a thread that lives; none: it is not known.
  base::ThreadId id_of(pid_t tid);
  wire::SlotHeader* shared(uint32_t slot) const { return rings_.slot(slot); }
  // The spooler's.
  wire::Consumer ring(uint32_t slot, wire::Lane lane) const {
    return {rings_.slot(slot)->lane(lane), rings_.lane(slot, lane), rings_.ring_size()};
  }
  bool has_callback_lane(uint32_t slot) const { return rings_.has_callback_lane(slot); }
  // As it was made: what shared memory says of it is not believed.
  uint32_t ring_size() const { return rings_.ring_size(); }
  using Totals = SlotTotals;
  Totals totals() const;
  // The first cause for which a thread could not be sampled, once.
  std::string take_problem();
  // Threads without a ring that have ended since the last call; living: those that have not as well.
  std::vector<RefusedThread> take_refused(bool living);

 protected:
  explicit ThreadRegister(Rings& rings) : rings_(rings) {}
  ~ThreadRegister() = default;

  Rings& rings_;
  mutable base::Mutex mutex_;

  Entry* find(pid_t tid) WALKABOUT_REQUIRES(mutex_);
  bool excluded(pid_t tid) const WALKABOUT_REQUIRES(mutex_);
  // A thread with its slot, which is backed, and nobody's yet: admit() or dismiss() it. Null: there is none
  // to be had, and why is the problem.
  std::unique_ptr<Entry> new_entry(pid_t tid, bool managed) WALKABOUT_REQUIRES(mutex_);
  // What its slot says of it, before its first sample.
  void introduce(const Entry& entry) WALKABOUT_REQUIRES(mutex_);
  // The thread is known from now on.
  void admit(std::unique_ptr<Entry> entry) WALKABOUT_REQUIRES(mutex_);
  void dismiss(const Entry& entry) WALKABOUT_REQUIRES(mutex_) { free_.push_back(entry.slot); }
  // Its CPU time was this when it ended. It stays until it is erased.
  void mark_ended(Entry& entry, uint64_t cpu_ns) WALKABOUT_REQUIRES(mutex_);
  // Its samples were taken: the slot is free, what it counted stays in the totals.
  void erase(uint32_t slot) WALKABOUT_REQUIRES(mutex_);

  std::vector<std::unique_ptr<Entry>> entries_ WALKABOUT_GUARDED_BY(mutex_);  // by slot; null = free
  std::atomic<uint32_t> slot_count_{0};  // how many entries, for those who cannot wait
  std::unordered_map<pid_t, uint32_t> slot_of_ WALKABOUT_GUARDED_BY(mutex_);  // living threads
  bool stopped_ WALKABOUT_GUARDED_BY(mutex_) = false;
  std::string problem_ WALKABOUT_GUARDED_BY(mutex_);
  Totals gone_ WALKABOUT_GUARDED_BY(mutex_);
  struct WithoutRing {
    uint64_t first_seen_ns = 0;
    uint64_t counted_from_ns = 0;  // as of an entry
    uint64_t cpu_ns = 0;           // the last that could be read
    uint64_t reported_ns = 0;      // of it, not ours or in earlier recordings
  };
  std::unordered_map<pid_t, WithoutRing> without_ring_ WALKABOUT_GUARDED_BY(mutex_);  // that live
  std::vector<RefusedThread> refused_ WALKABOUT_GUARDED_BY(mutex_);                   // that have ended

 private:
  std::vector<uint32_t> free_ WALKABOUT_GUARDED_BY(mutex_);
  std::vector<pid_t> excluded_ WALKABOUT_GUARDED_BY(mutex_);
  uint32_t next_id_ WALKABOUT_GUARDED_BY(mutex_) = 1;
  bool problem_reported_ WALKABOUT_GUARDED_BY(mutex_) = false;
};

template <class Entry>
base::ThreadId ThreadRegister<Entry>::id_of(pid_t tid) {
  const base::Lock lock(mutex_);
  const Entry* e = find(tid);
  return e == nullptr ? base::ThreadId() : e->id;
}

template <class Entry>
bool ThreadRegister<Entry>::set_managed_name(pid_t tid, std::string& name) {
  const base::Lock lock(mutex_);
  Entry* e = find(tid);
  if (e == nullptr) return false;
  e->managed_name = std::move(name);
  e->changed = true;
  return true;
}

template <class Entry>
void ThreadRegister<Entry>::exclude(pid_t tid) {
  const base::Lock lock(mutex_);
  excluded_.push_back(tid);
}

template <class Entry>
void ThreadRegister<Entry>::view(std::vector<ThreadView>* threads, bool all_changed) {
  threads->clear();
  const base::Lock lock(mutex_);
  for (auto& e : entries_) {
    if (e == nullptr) continue;
    const bool changed = e->changed || all_changed;
    threads->push_back({e->id, e->tid, e->slot, e->managed, e->ended, e->without_clock, e->writer, changed,
                        e->first_seen_ns, e->unsampled_ns, e->counted_from_ns,
                        changed ? e->managed_name : std::string()});
    e->changed = false;
  }
}

template <class Entry>
base::ThreadId ThreadRegister<Entry>::new_id() {
  const base::Lock lock(mutex_);
  return base::ThreadId(next_id_++);
}

template <class Entry>
SlotTotals ThreadRegister<Entry>::totals() const {
  const base::Lock lock(mutex_);
  Totals t = gone_;
  for (const auto& e : entries_) {
    if (e != nullptr) t.add(*rings_.slot(e->slot));
  }
  return t;
}

template <class Entry>
std::string ThreadRegister<Entry>::take_problem() {
  const base::Lock lock(mutex_);
  if (problem_reported_ || problem_.empty()) return {};
  problem_reported_ = true;
  return std::move(problem_);
}

template <class Entry>
std::vector<RefusedThread> ThreadRegister<Entry>::take_refused(bool living) {
  const base::Lock lock(mutex_);
  std::vector<RefusedThread> all = std::exchange(refused_, {});
  if (!living) return all;
  for (auto& [tid, thread] : without_ring_) {
    all.push_back({tid, thread.first_seen_ns, thread.cpu_ns - thread.reported_ns});
    thread.reported_ns = thread.cpu_ns;
  }
  return all;
}

template <class Entry>
Entry* ThreadRegister<Entry>::find(pid_t tid) {
  const auto it = slot_of_.find(tid);
  return it == slot_of_.end() ? nullptr : entries_[it->second].get();
}

template <class Entry>
bool ThreadRegister<Entry>::excluded(pid_t tid) const {
  return std::find(excluded_.begin(), excluded_.end(), tid) != excluded_.end();
}

template <class Entry>
std::unique_ptr<Entry> ThreadRegister<Entry>::new_entry(pid_t tid, bool managed) {
  if (free_.empty() && entries_.size() >= wire::kMaxSlots) {
    problem_ = "more than " + std::to_string(wire::kMaxSlots) + " threads at once";
    return nullptr;
  }
  const uint32_t slot = free_.empty() ? static_cast<uint32_t>(entries_.size()) : free_.back();
  if (base::Status backed = rings_.back(slot); !backed.ok()) {
    problem_ = backed.message();
    return nullptr;
  }
  if (free_.empty())
    entries_.emplace_back();
  else
    free_.pop_back();
  slot_count_.store(static_cast<uint32_t>(entries_.size()), std::memory_order_release);
  auto entry = std::make_unique<Entry>();
  entry->id = base::ThreadId(next_id_);  // taken by admit()
  entry->tid = tid;
  entry->slot = slot;
  entry->managed = managed;
  entry->first_seen_ns = base::monotonic_ns();
  return entry;
}

template <class Entry>
void ThreadRegister<Entry>::introduce(const Entry& entry) {
  wire::SlotHeader* shared = rings_.slot(entry.slot);
  shared->last_cpu_ns.store(entry.counted_from_ns, std::memory_order_relaxed);
  shared->tid.store(static_cast<uint32_t>(entry.tid), std::memory_order_relaxed);
  shared->thread.store(entry.id.value, std::memory_order_relaxed);
}

template <class Entry>
void ThreadRegister<Entry>::admit(std::unique_ptr<Entry> entry) {
  const uint32_t slot = entry->slot;
  ++next_id_;
  slot_of_[entry->tid] = slot;
  entries_[slot] = std::move(entry);
}

template <class Entry>
void ThreadRegister<Entry>::mark_ended(Entry& entry, uint64_t cpu_ns) {
  const uint64_t last = rings_.slot(entry.slot)->last_cpu_ns.load(std::memory_order_relaxed);
  entry.unsampled_ns = cpu_ns > last ? cpu_ns - last : 0;
  slot_of_.erase(entry.tid);
  entry.ended = true;
}

template <class Entry>
void ThreadRegister<Entry>::erase(uint32_t slot) {
  gone_.add(*rings_.slot(slot));
  entries_[slot].reset();
  free_.push_back(slot);
}

}  // namespace walkabout::agent
