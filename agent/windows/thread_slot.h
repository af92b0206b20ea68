// What the agent keeps of one thread beside its slot in the rings, for the samples that it takes of itself in
// a callback of the runtime's (agent/windows/capture.h).
// Owner of each field: [table] ThreadTable under its lock; [self] the thread itself.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "wire/ring.h"

namespace walkabout::agent {

struct ThreadSlot {
  wire::SlotHeader* shared = nullptr;  // [table] stays when the slot is nobody's any more
  uint8_t* callback_ring = nullptr;    // [table] of wire::Lane::kCallback; null: there is no memory for it
  uint32_t number = 0;                 // [table]
  std::atomic<pid_t> tid{0};           // [table]
  std::atomic<uint64_t> clr_thread{
      0};  // [table] the CLR's Thread object (its ThreadID); 0: none, or not known
};

// Below wire::kMaxSlots.
inline uint32_t slot_number(const ThreadSlot& slot) { return slot.number; }

}  // namespace walkabout::agent
