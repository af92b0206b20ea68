// The first of the numbers from `begin` up to `end` for which `holds` does not hold; end: it holds for all.
// REQUIRES: from the first on it holds for none. Of sorted tables whose rows are read one by one.
#pragma once

#include <cstdint>

namespace walkabout::precompiled {

template <typename Holds>
uint32_t partition_point(uint32_t begin, uint32_t end, Holds holds) {
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (holds(middle)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace walkabout::precompiled
