#include "agent/sources/linux/held_lock.h"

#include <algorithm>

#include "agent/linux/blocked_thread.h"
#include "agent/linux/handler/self_memory.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kOwnerAt = 16;  // 32 bits: the kernel's number of the thread; in both kinds of locks
// The frames of a wait are some KiB; behind them are callers', which may have the reference too.
constexpr size_t kStackWords = 2048;
constexpr size_t kFewWords = 256;
constexpr uint64_t kLeastObject = 1 << 16;
constexpr uint64_t kMostObject = uint64_t{1} << 47;

bool names(uint64_t lock, pid_t owner) {
  uint32_t tid = 0;
  return lock != 0 && read_self(nullptr, lock + kOwnerAt, &tid, sizeof tid) &&
         tid == static_cast<uint32_t>(owner);
}

uint64_t word_at(uint64_t address) {
  uint64_t word = 0;
  return address != 0 && read_self(nullptr, address, &word, sizeof word) ? word : 0;
}

}  // namespace

Holding HeldLock::look(WaitedLock& waited) {
  const uint64_t before = suspensions_.load(std::memory_order_acquire);
  if (suspended_.load(std::memory_order_acquire)) return Holding::kUnknown;
  const Holding found = look_at(waited);
  std::atomic_thread_fence(std::memory_order_acquire);
  // What was read while objects moved means nothing. That a lock is held says so in any case.
  const bool stood = suspensions_.load(std::memory_order_relaxed) == before;
  return found == Holding::kLetGo && !stood ? Holding::kUnknown : found;
}

Holding HeldLock::look_at(WaitedLock& waited) {
  if (names(waited.lock, waited.owner)) {
    waited.monitor = true;
    waited.held_at = waited.lock + kOwnerAt;
    return Holding::kHeld;
  }
  if (waited.monitor) return Holding::kLetGo;
  if (suspensions() == waited.suspensions) {
    if (!names(waited.object, waited.owner)) return Holding::kLetGo;
    lock_type_ = word_at(waited.object);
    waited.held_at = waited.object + kOwnerAt;
    return Holding::kHeld;
  }
  if (lock_type_ == 0) return Holding::kLetGo;  // a Monitor's, or nobody can know
  if (waited.reference_at == 0) {
    if (const Holding found = find_reference(waited); found != Holding::kHeld) return found;
  }
  const uint64_t object = word_at(waited.reference_at);
  if (!is_owned_lock(object, waited.owner)) return Holding::kLetGo;
  waited.held_at = object + kOwnerAt;
  return Holding::kHeld;
}

bool HeldLock::is_owned_lock(uint64_t object, pid_t owner) const {
  if (object < kLeastObject || object >= kMostObject || object % sizeof(uint64_t) != 0) return false;
  return word_at(object) == lock_type_ && names(object, owner);
}

// kHeld: it was found. A thread that does not stand has its reference in a register, perhaps.
Holding HeldLock::find_reference(WaitedLock& waited) {
  const ThreadPlace place = place_of(waited.waiter);
  if (place.standing != Standing::kBlocked) return Holding::kUnknown;
  for (const size_t words : {kStackWords, kFewWords}) {
    stack_.resize(words);
    if (!read_self(nullptr, place.sp, stack_.data(), words * sizeof(uint64_t))) continue;
    const uint64_t end = place.sp + words * sizeof(uint64_t);
    uint64_t found = 0;
    for (size_t i = 0; i < words; ++i) {
      const bool on_stack = stack_[i] >= place.sp && stack_[i] < end;
      if (on_stack || stack_[i] == found || !is_owned_lock(stack_[i], waited.owner)) continue;
      if (found != 0) {
        waited.reference_at = 0;
        return Holding::kUnknown;
      }
      found = stack_[i];
      waited.reference_at = place.sp + i * sizeof(uint64_t);
    }
    return found != 0 ? Holding::kHeld : Holding::kLetGo;
  }
  return Holding::kUnknown;
}

}  // namespace walkabout::agent
