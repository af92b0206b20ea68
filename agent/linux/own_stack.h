// The bounds of the calling thread's stack, told to the thread table. Allocates (pthread_getattr_np): for
// callbacks, not for handlers. Source: pthread_getattr_np(3).
#pragma once

#include "agent/linux/thread_table.h"

namespace walkabout::agent {

void measure_own_stack(ThreadTable& threads);

}  // namespace walkabout::agent
