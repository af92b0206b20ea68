// How often the spooler empties the rings, how large a ring has to be for that, and what all of it needs of a
// limited address space. Pure; any thread.
#pragma once

#include <cstdint>

namespace walkabout::wire {

// Milliseconds between two passes: long enough to cost nothing, short enough that rings stay small.
uint32_t pass_ms(uint64_t interval_ns);

// Bytes of one thread's ring, a power of two: room for twice what comes in between two passes, and for eight
// stacks of full depth. oracle: samples also hold the CLR's stack.
uint32_t ring_size(uint64_t interval_ns, uint32_t depth, bool oracle);

// Bytes of address space that must be free where it is limited to `limit` (ulimit -v): the rings' mapping,
// the agent's threads (stacks, arenas of malloc), what the runtime and its libraries want after us, and the
// runtime's heap, which takes up to half of the limit, later than the agent begins (gc.cpp,
// GetVirtualMemoryLimit).
uint64_t address_space_needed(uint32_t ring_size, uint64_t limit);

}  // namespace walkabout::wire
