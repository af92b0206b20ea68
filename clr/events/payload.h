// The parts of an event's payload: numbers at their offsets, texts one behind the other. Pure.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "clr/events/eventpipe_method.h"

namespace walkabout::clr {

// REQUIRES: the payload has them.
template <typename T>
T number_at(std::span<const uint8_t> payload, size_t offset) {
  T value;
  std::memcpy(&value, payload.data() + offset, sizeof value);
  return value;
}

// Whether one of the four units of a text in this word may be its end: if one is, then yes.
inline bool may_end(uint64_t units) {
  return ((units - 0x0001000100010001) & ~units & 0x8000800080008000) != 0;
}

// Takes a terminated text off the front. False where there is none.
inline bool take_string(std::span<const uint8_t>& bytes, EventString* string) {
  size_t i = 0;
  while (i + sizeof(uint64_t) <= bytes.size() && !may_end(number_at<uint64_t>(bytes, i)))
    i += sizeof(uint64_t);
  for (; i + 2 <= bytes.size(); i += 2) {
    if (bytes[i] != 0 || bytes[i + 1] != 0) continue;
    string->bytes = bytes.first(i);
    bytes = bytes.subspan(i + 2);
    return true;
  }
  return false;
}

}  // namespace walkabout::clr
