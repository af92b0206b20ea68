#include "agent/core/live_objects.h"

namespace walkabout::agent {

std::optional<LiveObjects::Followed> LiveObjects::follow(clr::ObjectID object) {
  if (info_ == nullptr || ended_.load()) return {};
  const size_t first = next_.fetch_add(1, std::memory_order_relaxed);
  for (size_t i = 0; i < kTries; ++i) {
    const size_t at = (first + i) % kEntries;
    Entry& entry = entries_[at];
    uint64_t free = kFree;
    if (!entry.handle.compare_exchange_strong(free, kClaimed, std::memory_order_acquire)) continue;
    clr::ObjectHandleID handle = nullptr;
    if (clr::failed(info_->CreateHandle(object, clr::COR_PRF_HANDLE_TYPE_WEAK, &handle)) ||
        handle == nullptr) {
      entry.handle.store(kFree, std::memory_order_release);
      return {};
    }
    const Followed followed{at, numbers_.fetch_add(1, std::memory_order_relaxed) + 1};
    entry.number.store(followed.number);
    count_.fetch_add(1, std::memory_order_relaxed);
    entry.handle.store(reinterpret_cast<uint64_t>(handle));
    if (!ended_.load()) return followed;  // partner: end(), which has not seen the handle where this is set
    forget(followed);
    return {};
  }
  return {};
}

void LiveObjects::forget(const Followed& followed) {
  Entry& entry = entries_[followed.entry];
  let_go(entry, entry.handle.load(), followed.number);
}

bool LiveObjects::let_go(Entry& entry, uint64_t handle, uint64_t number) {
  if (handle == kFree || handle == kClaimed) return false;
  if (!entry.handle.compare_exchange_strong(handle, kClaimed)) return false;
  if (entry.number.load() != number) {  // another has it by now, with the same handle
    entry.handle.store(handle);
    return false;
  }
  info_->DestroyHandle(reinterpret_cast<clr::ObjectHandleID>(handle));
  count_.fetch_sub(1, std::memory_order_relaxed);
  entry.handle.store(kFree, std::memory_order_release);
  return true;
}

// What cannot be asked is taken to exist.
bool LiveObjects::is_gone(uint64_t handle) const {
  clr::ObjectID object = 0;
  return !clr::failed(info_->GetObjectIDFromHandle(reinterpret_cast<clr::ObjectHandleID>(handle), &object)) &&
         object == 0;
}

void LiveObjects::sweep(std::vector<uint64_t>& gone) {
  if (count() == 0) return;
  for (Entry& entry : entries_) {
    const uint64_t handle = entry.handle.load(std::memory_order_acquire);
    if (handle == kFree || handle == kClaimed || !is_gone(handle)) continue;
    const uint64_t number = entry.number.load();
    if (let_go(entry, handle, number)) gone.push_back(number);
  }
}

void LiveObjects::halve(uint64_t random, std::vector<uint64_t>& gone) {
  for (Entry& entry : entries_) {
    const uint64_t handle = entry.handle.load(std::memory_order_acquire);
    if (handle == kFree || handle == kClaimed) continue;
    random ^= random << 13;  // xorshift64
    random ^= random >> 7;
    random ^= random << 17;
    const uint64_t number = entry.number.load();
    if ((random >> 32 & 1) == 0 && let_go(entry, handle, number)) gone.push_back(number);
  }
}

void LiveObjects::end() {
  ended_.store(true);
  for (Entry& entry : entries_) {
    const uint64_t handle = entry.handle.load();
    if (handle != kFree && handle != kClaimed) let_go(entry, handle, entry.number.load());
  }
}

}  // namespace walkabout::agent
