// The place of a key in a table with open addressing: the search begins there. Keys that lie close together,
// as addresses and numbers do, get places that do not. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace walkabout::base {

// slots: a power of two, at most 2^32.
constexpr size_t table_place(uint64_t key, size_t slots) {
  return static_cast<size_t>(key * 0x9e3779b97f4a7c15u >> 32) & (slots - 1);
}

}  // namespace walkabout::base
