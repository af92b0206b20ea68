// Which compilation units the addresses that were hit are of. One thread (libdw).
#pragma once

#include <elfutils/libdw.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "symbols/elf/function_table.h"

namespace walkabout::symbols {

// How much may be looked at: hostile DWARF may say one thing any number of times.
struct Steps {
  uint64_t left = 400'000'000;
  // False: it is used up.
  bool take(uint64_t count = 1) {
    left -= count < left ? count : left;
    return left > 0;
  }
};

struct Unit {
  Dwarf_Die die{};
  std::vector<size_t> hits;  // places in the offsets, rising
};

struct UnitMap {
  std::vector<Unit> units;  // those that were hit
  bool damaged = false;     // or the steps are used up: there may be more
};

// offsets: sorted, without doubles. code: ranges beginning elsewhere are of what the linker has removed.
UnitMap units_of(Dwarf* dwarf, const std::vector<CodeRange>& code, std::span<const uint32_t> offsets,
                 Steps& steps);

// Those of the offsets that are in a DIE's ranges, as [first, last) in them, for each of the ranges.
struct HitRange {
  size_t first = 0, last = 0;
  uint64_t bytes = 0;  // of the range
};
enum class RangesFound : uint8_t { kNone, kSome, kDamaged };
// kNone: the DIE has no ranges.
RangesFound hit_ranges(Dwarf_Die* die, const std::vector<CodeRange>& code, std::span<const uint32_t> offsets,
                       Steps& steps, std::vector<HitRange>& found);

}  // namespace walkabout::symbols
