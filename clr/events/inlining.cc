#include "clr/events/inlining.h"

#include "clr/events/payload.h"

namespace walkabout::clr {
namespace {

// ClrInstanceID: u16; MethodID, ReJITID, MethodNativeEntryPoint: u64; chunk, size: u32; then so many bytes.
constexpr size_t kMethod = 2, kChunk = 26, kSize = 30, kData = 34;
constexpr uint32_t kOnlyChunk = 0x80000000;  // the first, and marked as the last

// Numbers of nodes and of mappings: u32 each; then these, packed.
constexpr size_t kHeader = 8;
constexpr size_t kNode = 20;     // method: u64; IL offset, child, sibling: u32
constexpr size_t kMapping = 13;  // IL offset, node, native offset: u32; kind: u8

}  // namespace

bool InlinedCode::parse(std::span<const uint8_t> data, InlinedCode* code) {
  if (data.size() < kHeader) return false;
  code->data_ = data;
  code->nodes_ = number_at<uint32_t>(data, 0);
  code->mappings_ = number_at<uint32_t>(data, 4);
  return code->nodes_ > 0 && kHeader + code->nodes_ * kNode + code->mappings_ * kMapping == data.size();
}

InlineNode InlinedCode::node(uint32_t number) const {
  const size_t at = kHeader + number * kNode;
  return {number_at<uint64_t>(data_, at), number_at<uint32_t>(data_, at + 8),
          number_at<uint32_t>(data_, at + 12), number_at<uint32_t>(data_, at + 16)};
}

InlineMapping InlinedCode::mapping(uint32_t index) const {
  const size_t at = kHeader + nodes_ * kNode + index * kMapping;
  return {number_at<uint32_t>(data_, at), number_at<uint32_t>(data_, at + 4),
          number_at<uint32_t>(data_, at + 8)};
}

bool parse_rich_debug_info(std::span<const uint8_t> payload, uint32_t, RichDebugInfo* event) {
  if (payload.size() < kData || number_at<uint32_t>(payload, kChunk) != kOnlyChunk) return false;
  event->method_id = number_at<uint64_t>(payload, kMethod);
  event->data = payload.subspan(kData);
  const auto size = number_at<uint32_t>(payload, kSize);
  if (size > event->data.size()) return false;
  event->data = event->data.first(size);
  return true;
}

}  // namespace walkabout::clr
