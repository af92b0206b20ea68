#include "clr/events/waiting.h"

#include "clr/events/payload.h"

namespace walkabout::clr {

// ContentionFlags: u8; ClrInstanceID: u16; LockID: pointer; AssociatedObjectID: pointer; LockOwnerThreadID:
// u64. Before version 2 there is no lock.
bool parse_contention_start(std::span<const uint8_t> payload, uint32_t version, ContentionStart* event) {
  constexpr size_t kLock = 3, kObject = 11, kOwner = 19;
  *event = {};
  if (version < 2) return true;
  if (payload.size() < kOwner + sizeof(uint64_t)) return false;
  event->lock = number_at<uint64_t>(payload, kLock);
  event->object = number_at<uint64_t>(payload, kObject);
  event->owner = number_at<uint64_t>(payload, kOwner);
  return true;
}

// WaitSource: u8 (1: Monitor.Wait); AssociatedObjectID: pointer; ClrInstanceID: u16.
bool is_monitor_wait(std::span<const uint8_t> payload) { return !payload.empty() && payload[0] == 1; }

}  // namespace walkabout::clr
