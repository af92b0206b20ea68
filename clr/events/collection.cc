#include "clr/events/collection.h"

#include "clr/events/payload.h"

namespace walkabout::clr {

// Count: u32; Depth: u32; Reason: u32; Type: u32 (1: background); ClrInstanceID: u16; ClientSequenceNumber:
// u64.
bool parse_gc_start(std::span<const uint8_t> payload, GcStart* event) {
  constexpr size_t kDepth = 4, kReason = 8, kType = 12;
  if (payload.size() < kType + sizeof(uint32_t)) return false;
  event->count = number_at<uint32_t>(payload, 0);
  event->generation = number_at<uint32_t>(payload, kDepth);
  event->reason = number_at<uint32_t>(payload, kReason);
  event->background = number_at<uint32_t>(payload, kType) == 1;
  return true;
}

// Count: u32; Depth: u32; ClrInstanceID: u16.
bool parse_gc_end(std::span<const uint8_t> payload, GcEnd* event) {
  constexpr size_t kDepth = 4;
  if (payload.size() < kDepth + sizeof(uint32_t)) return false;
  event->count = number_at<uint32_t>(payload, 0);
  event->generation = number_at<uint32_t>(payload, kDepth);
  return true;
}

// For generations 0, 1, 2 and the large objects: GenerationSize: u64, TotalPromotedSize: u64;
// FinalizationPromotedSize, FinalizationPromotedCount: u64; PinnedObjectCount, SinkBlockCount, GCHandleCount:
// u32; ClrInstanceID: u16; the same as of a generation of the pinned objects.
bool parse_heap_stats(std::span<const uint8_t> payload, HeapStats* event) {
  constexpr size_t kEach = 16, kLarge = 3 * kEach, kPinned = 4 * kEach + 16 + 12 + 2;
  if (payload.size() < kPinned + sizeof(uint64_t)) return false;
  for (size_t i = 0; i < event->generation.size(); ++i)
    event->generation[i] = number_at<uint64_t>(payload, i * kEach);
  event->large_objects = number_at<uint64_t>(payload, kLarge);
  event->pinned_objects = number_at<uint64_t>(payload, kPinned);
  return true;
}

// Reason: u32; Count: u32; ClrInstanceID: u16.
bool parse_suspend_begin(std::span<const uint8_t> payload, uint32_t* reason) {
  if (payload.size() < sizeof(uint32_t)) return false;
  *reason = number_at<uint32_t>(payload, 0);
  return true;
}

// GCReasonMap of the manifest.
std::u16string_view gc_reason_text(uint32_t reason) {
  constexpr std::u16string_view kTexts[] = {u"small objects",
                                            u"induced",
                                            u"low memory",
                                            u"empty",
                                            u"large objects",
                                            u"out of space for small objects",
                                            u"out of space for large objects",
                                            u"induced, not forced",
                                            u"stress",
                                            u"low memory, blocking",
                                            u"induced, compacting",
                                            u"low memory of the host"};
  return reason < std::size(kTexts) ? kTexts[reason] : u"other";
}

// GCSuspendEEReasonMap of the manifest.
std::u16string_view suspend_reason_text(uint32_t reason) {
  constexpr std::u16string_view kTexts[] = {u"other",    u"collection", u"unloading a domain", u"code heap",
                                            u"shutdown", u"debugger",   u"collection"};
  return reason < std::size(kTexts) ? kTexts[reason] : u"other";
}

bool is_for_gc(uint32_t suspend_reason) { return suspend_reason == 1 || suspend_reason == 6; }

}  // namespace walkabout::clr
