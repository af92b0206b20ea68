// Varints out of bytes that nobody vouches for. Pure; any thread. Source: protobuf's encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace walkabout::wire {

inline constexpr size_t kMaxVarintBytes = 10;

enum class Varint : uint8_t { kWhole, kCutOff, kTooLong };

// The one at the front. kWhole: used says how many bytes it took.
inline Varint take_varint(std::string_view bytes, uint64_t& value, size_t& used) {
  value = 0;
  for (size_t i = 0; i < kMaxVarintBytes; ++i) {
    if (i == bytes.size()) return Varint::kCutOff;
    const auto byte = static_cast<uint8_t>(bytes[i]);
    value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      used = i + 1;
      return Varint::kWhole;
    }
  }
  return Varint::kTooLong;
}

}  // namespace walkabout::wire
