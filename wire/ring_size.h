// How often the spooler empties the rings, and how large a ring has to be for that. Pure; any thread.
#pragma once

#include <cstdint>

namespace walkabout::wire {

// Milliseconds between two passes: long enough to cost nothing, short enough that rings stay small.
uint32_t pass_ms(uint64_t interval_ns);

// Bytes of one thread's ring, a power of two: room for twice what comes in between two passes, and for eight
// stacks of full depth. oracle: samples also hold the CLR's stack.
uint32_t ring_size(uint64_t interval_ns, uint32_t depth, bool oracle);

}  // namespace walkabout::wire
