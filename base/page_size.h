// Bytes of a page of memory on x64, of every system.
#pragma once

#include <cstdint>

namespace walkabout::base {

inline constexpr uint64_t kPageSize = 4096;

}  // namespace walkabout::base
