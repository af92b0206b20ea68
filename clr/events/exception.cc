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

// EntryEIP: u64; MethodID: u64; MethodName; ClrInstanceID: u16.
bool parse_exception_catch(std::span<const uint8_t> payload, EventString* method) {
  constexpr size_t kName = 16;
  if (payload.size() < kName) return false;
  std::span<const uint8_t> rest = payload.subspan(kName);
  return take_string(rest, method);
}

PlainMethod plain_method(const EventString& method) {
  constexpr size_t kUnit = sizeof(char16_t);
  const size_t units = method.bytes.size() / kUnit;
  const auto at = [&](size_t i) { return i < units ? number_at<char16_t>(method.bytes, i * kUnit) : u'\0'; };
  size_t separator = 0, begin = 0;
  for (; separator < units && !(at(separator) == u':' && at(separator + 1) == u':'); ++separator)
    if (separator > 0 && at(separator) == u' ' && at(separator - 1) == u']') begin = separator + 1;
  if (separator == units) return {{}, method};
  const size_t name = separator + 2;
  size_t end = name;
  while (end < units && at(end) != u'(') ++end;
  return {{method.bytes.subspan(begin * kUnit, (separator - begin) * kUnit)},
          {method.bytes.subspan(name * kUnit, (end - name) * kUnit)}};
}

}  // namespace walkabout::clr
