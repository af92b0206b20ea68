// The runtime's events about garbage collections as EventPipe delivers them, of the provider
// Microsoft-Windows-DotNETRuntime. A pause is SuspendEEBegin, SuspendEEEnd, RestartEEBegin, RestartEEEnd on
// one thread; the collection begins between the second and the third.
//
// Any bytes give false or a value. No allocation, little stack. Source: ClrEtwAll.man of the runtime
// (GCStart_V2, GCHeapStats_V2, GCSuspendEEBegin_V1). Measured on .NET 8, 9 and 10.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace walkabout::clr {

inline constexpr uint32_t kGcStart = 1, kGcEnd = 2;
inline constexpr uint32_t kSuspendBegin = 9, kSuspendEnd = 8, kRestartBegin = 7, kRestartEnd = 3;

struct GcStart {
  uint32_t count = 0;  // its number
  uint32_t generation = 0;
  uint32_t reason = 0;
  bool background = false;
};
bool parse_gc_start(std::span<const uint8_t> payload, GcStart* event);
struct GcEnd {
  uint32_t count = 0;  // its number, as at its start
  uint32_t generation = 0;
};
bool parse_gc_end(std::span<const uint8_t> payload, GcEnd* event);
// Bytes of the heap behind a collection.
struct HeapStats {
  std::array<uint64_t, 3> generation{};
  uint64_t large_objects = 0;
  uint64_t pinned_objects = 0;  // their own heap
};
inline constexpr uint32_t kGcHeapStats = 4;
bool parse_heap_stats(std::span<const uint8_t> payload, HeapStats* event);
// Why threads are stopped; false where the payload does not say.
bool parse_suspend_begin(std::span<const uint8_t> payload, uint32_t* reason);

// In words: "small objects", "induced". Of a reason that is not known: "other".
std::u16string_view gc_reason_text(uint32_t reason);
// "collection", "tiering", "debugger".
std::u16string_view suspend_reason_text(uint32_t reason);
// Whether threads are stopped for a collection.
bool is_for_gc(uint32_t suspend_reason);

}  // namespace walkabout::clr
