#include "clr/events/allocation.h"

#include "clr/events/payload.h"

namespace walkabout::clr {
namespace {

HeapKind heap_kind(uint32_t kind) {
  if (kind == static_cast<uint32_t>(HeapKind::kLarge)) return HeapKind::kLarge;
  return kind == static_cast<uint32_t>(HeapKind::kPinned) ? HeapKind::kPinned : HeapKind::kSmall;
}

}  // namespace

std::u16string_view heap_text(HeapKind heap) {
  constexpr std::u16string_view kTexts[] = {u"small", u"large", u"pinned"};
  return kTexts[static_cast<size_t>(heap)];
}

// AllocationAmount: u32; AllocationKind: u32; ClrInstanceID: u16; AllocationAmount64: u64; TypeID: pointer;
// TypeName; HeapIndex: u32; from version 3 Address: pointer; from version 4 ObjectSize: u64.
bool parse_allocation_tick(std::span<const uint8_t> payload, uint32_t version, AllocatedObject* event) {
  constexpr size_t kFixedPart = 26, kHeapIndex = 4, kAddress = 8;
  if (version < 2 || payload.size() < kFixedPart) return false;
  event->heap = heap_kind(number_at<uint32_t>(payload, 4));
  event->amount = number_at<uint64_t>(payload, 10);
  std::span<const uint8_t> rest = payload.subspan(kFixedPart);
  if (!take_string(rest, &event->type)) return false;
  event->address =
      version >= 3 && rest.size() >= kHeapIndex + kAddress ? number_at<uint64_t>(rest, kHeapIndex) : 0;
  event->size = version >= 4 && rest.size() >= kHeapIndex + kAddress + sizeof(uint64_t)
                    ? number_at<uint64_t>(rest, kHeapIndex + kAddress)
                    : 0;
  return true;
}

// AllocationKind: u32; ClrInstanceID: u16; TypeID: pointer; TypeName; Address: pointer; ObjectSize: u64;
// SampledByteOffset: u64.
bool parse_allocation_sampled(std::span<const uint8_t> payload, AllocatedObject* event) {
  constexpr size_t kFixedPart = 14, kAddress = 8;
  if (payload.size() < kFixedPart) return false;
  event->heap = heap_kind(number_at<uint32_t>(payload, 0));
  std::span<const uint8_t> rest = payload.subspan(kFixedPart);
  if (!take_string(rest, &event->type) || rest.size() < kAddress + sizeof(uint64_t)) return false;
  event->address = number_at<uint64_t>(rest, 0);
  event->size = number_at<uint64_t>(rest, kAddress);
  return event->size != 0;
}

}  // namespace walkabout::clr
