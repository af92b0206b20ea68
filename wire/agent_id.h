// The CLSIDs of the profilers in the library, as CORECLR_PROFILER names them, and what the agent answers an
// attach with.
#pragma once

#include <cstdint>

namespace walkabout::wire {
inline constexpr char kAgentClsid[] = "8B2F5D0C-3E6A-4C1B-9D57-6A1F0E2C7B94";
// Of the one that rewrites methods (agent/linux/calls/code_port.h).
inline constexpr char kCodePortClsid[] = "8B2F5D0C-3E6A-4C1B-9D57-6A1F0E2C7B95";
// Of one that makes the runtime call those beside it (agent/linux/calls/ballast.h).
inline constexpr char kBallastClsid[] = "8B2F5D0C-3E6A-4C1B-9D57-6A1F0E2C7B96";
// An HRESULT of our own: the runtime would not call the agent; ballast makes it.
inline constexpr uint32_t kUnheard = 0xA0570001;
}  // namespace walkabout::wire
