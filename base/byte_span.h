// Little-endian values out of bytes that nobody vouches for: what is not there is not given. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

namespace walkabout::base {

using Bytes = std::span<const uint8_t>;

// From `offset` on; empty when that lies behind the end.
inline Bytes from(Bytes bytes, uint64_t offset) {
  return offset <= bytes.size() ? bytes.subspan(static_cast<size_t>(offset)) : Bytes();
}

// Exactly [offset, offset + size); empty when they are not all there.
inline Bytes part(Bytes bytes, uint64_t offset, uint64_t size) {
  const Bytes rest = from(bytes, offset);
  return size <= rest.size() ? rest.first(static_cast<size_t>(size)) : Bytes();
}

template <typename T>
std::optional<T> load(Bytes bytes, uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  const Bytes found = part(bytes, offset, sizeof(T));
  if (found.empty()) return std::nullopt;
  T value;
  std::memcpy(&value, found.data(), sizeof value);
  return value;
}

}  // namespace walkabout::base
