// A hash of bytes, of 64 bits, for tables of this process: sixteen bytes at a time, each pair of words folded
// by a multiplication. Not for input that is chosen to collide, and not for files. Pure; any thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace walkabout::base {

// Words of which half the bits are set, without a pattern.
inline constexpr uint64_t kHashWords[] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb};

inline uint64_t folded(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hash_of(std::span<const uint8_t> bytes, uint64_t seed) {
  constexpr size_t kBlock = 2 * sizeof(uint64_t);
  uint64_t hash = folded(seed ^ kHashWords[0], bytes.size() ^ kHashWords[1]);
  uint64_t words[2];
  for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) {
    std::memcpy(words, bytes.data(), kBlock);
    hash = folded(words[0] ^ kHashWords[1], words[1] ^ hash);
  }
  if (!bytes.empty()) {
    words[0] = words[1] = 0;
    std::memcpy(words, bytes.data(), bytes.size());
    hash = folded(words[0] ^ kHashWords[1], words[1] ^ hash);
  }
  return folded(hash ^ kHashWords[2], kHashWords[0]);
}

}  // namespace walkabout::base
