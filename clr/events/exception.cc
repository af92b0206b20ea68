#include "clr/events/exception.h"

#include "clr/events/payload.h"

namespace walkabout::clr {
namespace {

// ExceptionFlags of the manifest.
constexpr uint16_t kNested = 0x02, kRethrown = 0x04;

}  // namespace

// ExceptionType; ExceptionMessage; ExceptionEIP: pointer; ExceptionHRESULT: u32; ExceptionFlags: u16;
// ClrInstanceID: u16.
bool parse_exception_thrown(std::span<const uint8_t> payload, ExceptionThrown* event) {
  constexpr size_t kFlags = 12;
  std::span<const uint8_t> rest = payload;
  if (!take_string(rest, &event->type) || !take_string(rest, &event->message)) return false;
  if (rest.size() < kFlags + sizeof(uint16_t)) return false;
  const auto flags = number_at<uint16_t>(rest, kFlags);
  event->nested = (flags & kNested) != 0;
  event->rethrown = (flags & kRethrown) != 0;
  return true;
}

}  // namespace walkabout::clr
