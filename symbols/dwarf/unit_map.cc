#include "symbols/dwarf/unit_map.h"

#include <dwarf.h>

#include <algorithm>

namespace walkabout::symbols {
namespace {

constexpr size_t kNoUnit = SIZE_MAX;

bool begins_in(const std::vector<CodeRange>& code, uint64_t address) {
  return std::any_of(code.begin(), code.end(), [address](const CodeRange& range) {
    return address >= range.begin && address < range.end;
  });
}

bool has_code(uint8_t unit_type) { return unit_type == DW_UT_compile || unit_type == DW_UT_skeleton; }

bool is_unit(int tag) {
  return tag == DW_TAG_compile_unit || tag == DW_TAG_skeleton_unit || tag == DW_TAG_partial_unit;
}

}  // namespace

RangesFound hit_ranges(Dwarf_Die* die, const std::vector<CodeRange>& code, std::span<const uint32_t> offsets,
                       Steps& steps, std::vector<HitRange>& found) {
  found.clear();
  Dwarf_Addr base = 0, begin = 0, end = 0;
  ptrdiff_t at = 0;
  bool any = false;
  while ((at = dwarf_ranges(die, at, &base, &begin, &end)) > 0 && steps.take()) {
    any = true;
    if (begin >= end || !begins_in(code, begin)) continue;
    const auto first = std::lower_bound(offsets.begin(), offsets.end(), begin);
    const auto last = std::lower_bound(first, offsets.end(), end);
    if (first != last)
      found.push_back({static_cast<size_t>(first - offsets.begin()),
                       static_cast<size_t>(last - offsets.begin()), end - begin});
  }
  if (at < 0) return RangesFound::kDamaged;
  return any ? RangesFound::kSome : RangesFound::kNone;
}

UnitMap units_of(Dwarf* dwarf, const std::vector<CodeRange>& code, std::span<const uint32_t> offsets,
                 Steps& steps) {
  // Ranges of units do not overlap; where they say so, the narrowest is believed.
  struct Owner {
    size_t unit = kNoUnit;
    uint64_t bytes = UINT64_MAX;
  };
  UnitMap map;
  std::vector<Owner> owners(offsets.size());
  std::vector<HitRange> ranges;
  Dwarf_CU* unit = nullptr;
  uint8_t type = 0;
  Dwarf_Die die;
  int more = 0;
  while (steps.take() && (more = dwarf_get_units(dwarf, unit, &unit, nullptr, &type, &die, nullptr)) == 0) {
    if (!has_code(type)) continue;
    if (!is_unit(dwarf_tag(&die))) map.damaged = true;
    if (hit_ranges(&die, code, offsets, steps, ranges) == RangesFound::kDamaged) map.damaged = true;
    for (const HitRange& range : ranges) {
      if (!steps.take(range.last - range.first)) break;
      for (size_t i = range.first; i < range.last; ++i) {
        if (range.bytes < owners[i].bytes) owners[i] = {map.units.size(), range.bytes};
      }
    }
    if (!ranges.empty()) map.units.push_back({die, {}});
  }
  map.damaged = map.damaged || more < 0 || steps.left == 0;
  for (size_t i = 0; i < owners.size(); ++i) {
    if (owners[i].unit != kNoUnit) map.units[owners[i].unit].hits.push_back(i);
  }
  return map;
}

}  // namespace walkabout::symbols
