// The bounds of the calling thread's stack. Allocates (pthread_getattr_np): for callbacks, not for handlers.
// Source: pthread_getattr_np(3).
#pragma once

#include <cstdint>

#include "agent/linux/thread_table.h"

namespace walkabout::agent {

struct StackBounds {
  uint64_t lo = 0;
  uint64_t hi = 0;  // 0: not known
};
StackBounds own_stack();

// Kept by the thread, so that no tick comes near the stack's end, and reported to the thread table.
void measure_own_stack(ThreadTable& threads);

}  // namespace walkabout::agent
