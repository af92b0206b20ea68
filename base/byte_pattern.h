// Bytes as texts for people: two hexadecimal digits each in lower case, ".." for any byte:
// "48b8................c3". Pure; any thread, signal handlers too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace walkabout::base {

constexpr size_t pattern_size(std::string_view pattern) { return pattern.size() / 2; }

// The bytes from `at` on are those of the pattern.
constexpr bool is_pattern_at(std::string_view pattern, std::span<const uint8_t> bytes, size_t at) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  if (at > bytes.size() || pattern_size(pattern) > bytes.size() - at) return false;
  for (size_t i = 0; i < pattern_size(pattern); ++i) {
    const char high = pattern[2 * i], low = pattern[2 * i + 1];
    if (high != '.' && bytes[at + i] != digit(high) * 16 + digit(low)) return false;
  }
  return true;
}

}  // namespace walkabout::base
