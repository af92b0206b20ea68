// As base/file_name, of a path as the runtime's events have it: UTF-16, little endian, at any address. Where
// the name begins: behind the last separator, 0 where there is none. Windows takes '/' for one beside its
// own; on Linux '\' is part of a name. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace walkabout::agent {

enum class Separators : uint8_t { kLinux, kWindows };
#if defined(_WIN32)
constexpr Separators kSeparators = Separators::kWindows;
#else
constexpr Separators kSeparators = Separators::kLinux;
#endif

inline size_t file_name_offset(std::span<const uint8_t> path, Separators separators) {
  for (size_t i = path.size() / 2 * 2; i >= 2; i -= 2) {
    if (path[i - 1] != 0) continue;
    const uint8_t unit = path[i - 2];
    if (unit == '/' || (unit == '\\' && separators == Separators::kWindows)) return i;
  }
  return 0;
}

}  // namespace walkabout::agent
