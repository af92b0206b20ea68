// The runtime's events about allocated objects as EventPipe delivers them, of the provider
// Microsoft-Windows-DotNETRuntime.
//
// Views into the payload: no allocation, little stack; fit for the thread that allocates. Any bytes give
// false or a valid view. Source: ClrEtwAll.man of the runtime (GCAllocationTick_V4, AllocationSampled).
// Measured on .NET 8, 9 and 10.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "clr/events/eventpipe_method.h"

namespace walkabout::clr {

inline constexpr uint32_t kAllocationTick = 10;
inline constexpr uint32_t kAllocationSampled = 303;  // .NET 10

enum class HeapKind : uint32_t { kSmall = 0, kLarge = 1, kPinned = 2 };

// "small", "large", "pinned".
std::u16string_view heap_text(HeapKind heap);

struct AllocatedObject {
  HeapKind heap = HeapKind::kSmall;
  EventString type;     // "System.String"
  uint64_t size = 0;    // of the object, in bytes; 0: not known
  uint64_t address = 0;
  uint64_t amount = 0;  // kAllocationTick: bytes allocated since the event before it, this object among them
};

bool parse_allocation_tick(std::span<const uint8_t> payload, uint32_t version, AllocatedObject* event);
bool parse_allocation_sampled(std::span<const uint8_t> payload, AllocatedObject* event);

}  // namespace walkabout::clr
