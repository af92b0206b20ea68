// Where the calling thread's stack ends, as the thread keeps it for its samples. What lies behind the end is
// a fault, and in a program that overflows its stack the runtime takes only its own for that.
// Async-signal-safe.
#pragma once

#include <cstdint>

#include "agent/linux/handler/thread_slot.h"

namespace walkabout::agent {

inline constinit thread_local uint64_t t_stack_end = 0;  // 0: not known

// Others may have found it.
inline void learn_stack_end(const ThreadSlot& slot) {
  if (const uint64_t end = slot.stack_end.load(std::memory_order_relaxed); end != 0) t_stack_end = end;
}

// Whether the caller has so much of the thread's stack left.
__attribute__((always_inline)) inline bool has_room(uint64_t bytes) {
  return reinterpret_cast<uint64_t>(__builtin_frame_address(0)) - t_stack_end >= bytes;
}

}  // namespace walkabout::agent
