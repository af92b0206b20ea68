#include "il/body_header.h"

namespace walkabout::il {
namespace {

using base::Bytes;
using base::load;
using base::part;

constexpr uint8_t kTinyMask = 3, kTiny = 2;
constexpr uint16_t kFatMask = 7, kFat = 3, kFlags = 0xff8;
constexpr uint16_t kFatWords = 3;  // the header's size, in the upper bits of the flags

}  // namespace

std::optional<BodyHeader> read_body_header(Bytes body) {
  BodyHeader header;
  const auto first = load<uint8_t>(body, 0);
  if (!first) return std::nullopt;
  if ((*first & kTinyMask) == kTiny) {
    header.code_size = *first >> 2;
    return header;
  }
  const auto flags = load<uint16_t>(body, 0), stack = load<uint16_t>(body, 2);
  const auto size = load<uint32_t>(body, 4), locals = load<uint32_t>(body, 8);
  if (!locals || (*flags & kFatMask) != kFat || *flags >> 12 != kFatWords) return std::nullopt;
  header.fat = true;
  header.flags = *flags & kFlags;
  header.max_stack = *stack;
  header.code_size = *size;
  header.locals = *locals;
  return header;
}

Bytes code_of(Bytes body) {
  const auto header = read_body_header(body);
  return header ? part(body, header->size(), header->code_size) : Bytes();
}

}  // namespace walkabout::il
