// For tests: an event's payload, number by number and text by text.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace walkabout::clr::testing {

using Payload = std::vector<uint8_t>;

template <typename T>
void put(Payload& payload, T value) {
  const size_t at = payload.size();
  payload.resize(at + sizeof(value));
  std::memcpy(payload.data() + at, &value, sizeof(value));
}
inline void put_text(Payload& payload, std::u16string_view text) {
  for (const char16_t c : text) put(payload, c);
  put(payload, u'\0');
}

}  // namespace walkabout::clr::testing
