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

size_t plain_method_name(const EventString& method, std::span<char16_t> to) {
  const size_t units = method.bytes.size() / sizeof(char16_t);
  const auto at = [&](size_t i) {
    return i < units ? number_at<char16_t>(method.bytes, i * sizeof(char16_t)) : u'\0';
  };
  size_t separator = 0;
  while (separator < units && !(at(separator) == u':' && at(separator + 1) == u':')) ++separator;
  size_t begin = 0;
  for (size_t i = 1; i < separator && separator < units; ++i)
    if (at(i) == u' ' && at(i - 1) == u']') begin = i + 1;
  size_t size = 0;
  for (size_t i = begin; i < units && size < to.size(); ++i) {
    if (separator < units && i > separator && at(i) == u'(') break;
    if (i == separator) continue;
    to[size++] = i == separator + 1 && separator < units ? u'.' : at(i);
  }
  return size;
}

}  // namespace walkabout::clr
