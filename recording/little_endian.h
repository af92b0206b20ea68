// Fixed-width integers of the .walk file, and the checksum of a block. Any thread, no state.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace walkabout::recording {

inline void append_u32(uint32_t value, std::string& out) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(value >> shift));
}

// REQUIRES: bytes has at least at + 4 bytes.
inline uint32_t read_u32(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
  return value;
}

// sizes: compressed_size and raw_size as they stand in the block's header.
inline uint32_t block_checksum(std::string_view sizes, std::string_view payload) {
  const auto bytes = [](std::string_view s) { return reinterpret_cast<const Bytef*>(s.data()); };
  const uLong head = ::crc32_z(::crc32_z(0, nullptr, 0), bytes(sizes), sizes.size());
  return static_cast<uint32_t>(::crc32_z(head, bytes(payload), payload.size()));
}

}  // namespace walkabout::recording
