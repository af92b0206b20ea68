// For tests and benchmarks: memory that is known to be whole.
#pragma once

#include <cstddef>
#include <cstdint>

#include "unwind/machine/memory.h"

namespace walkabout::unwind::testing {

inline Memory memory_of(const void* begin, size_t size) {
  Memory memory;
  memory.lo = reinterpret_cast<uint64_t>(begin);
  memory.hi = memory.lo + size;
  return memory;
}

}  // namespace walkabout::unwind::testing
