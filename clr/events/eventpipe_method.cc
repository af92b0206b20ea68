#include "clr/events/eventpipe_method.h"

#include <algorithm>
#include <cstring>

#include "clr/events/payload.h"
#include "clr/names/utf16.h"

namespace walkabout::clr {
namespace {

constexpr uint32_t kFlagDynamic = 1;
constexpr uint32_t kFlagGeneric = 2;
constexpr uint32_t kTierShift = 7;
constexpr uint32_t kTierMask = 7;
constexpr size_t kLongestName = 4096;  // characters kept of a name: generic instantiations can be very long

// MethodID, ModuleID, MethodStartAddress: u64; MethodSize, MethodToken, MethodFlags: u32; then the strings.
constexpr size_t kFixedPart = 36;

}  // namespace

std::string EventString::utf8() const {
  std::u16string text(std::min(bytes.size() / 2, kLongestName), u'\0');
  if (!text.empty()) std::memcpy(text.data(), bytes.data(), text.size() * 2);
  return to_utf8(text);
}

bool parse_method_load(std::span<const uint8_t> payload, uint32_t, MethodLoad* event) {
  if (payload.size() < kFixedPart) return false;
  event->method_id = number_at<uint64_t>(payload, 0);
  event->module_id = number_at<uint64_t>(payload, 8);
  event->start = number_at<uint64_t>(payload, 16);
  event->size = number_at<uint32_t>(payload, 24);
  if (event->start == 0 || event->size == 0 || event->start + event->size < event->start) return false;
  event->token = number_at<uint32_t>(payload, 28);
  const auto flags = number_at<uint32_t>(payload, 32);
  event->dynamic = (flags & kFlagDynamic) != 0;
  event->generic = (flags & kFlagGeneric) != 0;
  event->tier = static_cast<uint8_t>(flags >> kTierShift & kTierMask);
  std::span<const uint8_t> rest = payload.subspan(kFixedPart);
  return take_string(rest, &event->type) && take_string(rest, &event->name) &&
         take_string(rest, &event->signature);
}

bool parse_method_unload(std::span<const uint8_t> payload, uint32_t, MethodUnload* event) {
  if (payload.size() < kFixedPart) return false;
  event->method_id = number_at<uint64_t>(payload, 0);
  event->start = number_at<uint64_t>(payload, 16);
  return true;
}

}  // namespace walkabout::clr
