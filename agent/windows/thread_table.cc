#include "agent/windows/thread_table.h"

#include <chrono>
#include <thread>

#include "base/clock.h"

namespace walkabout::agent {

void ThreadTable::give_clocks() {
  const base::Lock lock(mutex_);
  have_clocks_ = true;
}

void ThreadTable::arm(pid_t tid, clr::ThreadID clr, bool from_start) {
  const base::Lock lock(mutex_);
  arm_locked(tid, clr, from_start);
}

void ThreadTable::arm_locked(pid_t tid, clr::ThreadID clr, bool from_start) {
  if (stopped_ || excluded(tid)) return;
  if (WalkedThread* known = find(tid); known != nullptr && !known->handle.gone()) {
    if (clr == 0 || known->clr == clr) return;
    known->clr = clr;
    known->managed = known->changed = true;
    slots_[known->slot].clr_thread.store(clr, std::memory_order_relaxed);
    return;
  } else if (known != nullptr) {
    end(*known);  // another thread has its number
  }
  ThreadHandle handle(tid);
  if (!handle.valid() || handle.gone()) return;
  std::unique_ptr<WalkedThread> thread = new_entry(tid, clr != 0);
  if (thread == nullptr) return;
  thread->clr = clr;
  thread->stack = handle.stack();
  thread->counted_from_ns = from_start ? 0 : handle.cpu_ns(rate_);
  thread->handle = std::move(handle);
  introduce(*thread);
  ThreadSlot& slot = slots_[thread->slot];
  slot.shared = rings_.slot(thread->slot);
  slot.callback_ring = nullptr;
  slot.number = thread->slot;
  slot.tid.store(tid, std::memory_order_relaxed);
  slot.clr_thread.store(clr, std::memory_order_relaxed);
  admit(std::move(thread));
}

// A thread finds its slot by itself from the second time on: it is its own for as long as the thread lives.
// At the recording's end it may be in the middle of a capture when its samples are taken for the last time:
// the slot leads to its memory still (release()), which stays.
ThreadSlot* ThreadTable::callback_slot() {
  if (ThreadSlot* known = current_slot(); known != nullptr) return known;
  const base::Lock lock(mutex_);
  const WalkedThread* e = find(current_tid());
  if (e == nullptr) return nullptr;
  ThreadSlot& slot = slots_[e->slot];
  if (rings_.back_callback_lane(e->slot).ok())
    slot.callback_ring = rings_.lane(e->slot, wire::Lane::kCallback);
  current_.set(reinterpret_cast<uintptr_t>(&slot));
  return &slot;
}

// The walk that is under way was begun before the id was taken out, and needs no lock to end: a thread that
// is stopped in here is resumed by it.
void ThreadTable::destroyed(clr::ThreadID clr) {
  {
    const base::Lock lock(mutex_);
    for (auto& e : entries_) {
      if (e == nullptr || e->clr != clr) continue;
      e->clr = 0;
      slots_[e->slot].clr_thread.store(0, std::memory_order_relaxed);
    }
  }
  while (walking_.load(std::memory_order_acquire) == clr)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void ThreadTable::end(WalkedThread& thread) { mark_ended(thread, thread.handle.cpu_ns(rate_)); }

void ThreadTable::update(const std::vector<pid_t>& alive) {
  const base::Lock lock(mutex_);
  if (stopped_) return;
  for (auto& e : entries_) {
    if (e != nullptr && !e->ended && e->handle.gone()) end(*e);
  }
  for (pid_t tid : alive) {
    if (slot_of_.find(tid) == slot_of_.end()) arm_locked(tid, 0, true);
  }
}

void ThreadTable::targets(std::vector<Target>* targets) {
  targets->clear();
  const base::Lock lock(mutex_);
  if (stopped_ || !have_clocks_) return;
  for (const auto& e : entries_) {
    if (e == nullptr || e->ended) continue;
    if (e->stack.hi == 0) e->stack = e->handle.stack();  // it was about to begin
    if (e->stack.hi == 0) continue;
    targets->push_back(
        {e->slot, e->tid, &e->handle, e->stack, rings_.slot(e->slot), e->id, e->first_seen_ns});
  }
}

clr::ThreadID ThreadTable::begin_walk(uint32_t slot) {
  const base::Lock lock(mutex_);
  const clr::ThreadID clr = entries_[slot] != nullptr ? entries_[slot]->clr : 0;
  walking_.store(clr, std::memory_order_release);
  return clr;
}

void ThreadTable::release(uint32_t slot) {
  const base::Lock lock(mutex_);
  erase(slot);
  gone_.publish(&rings_.header()->gone);
}

uint64_t ThreadTable::stop() {
  const base::Lock lock(mutex_);
  stopped_ = true;
  for (auto& e : entries_) {
    if (e != nullptr && !e->ended) end(*e);
  }
  return base::process_cpu_ns();
}

}  // namespace walkabout::agent
