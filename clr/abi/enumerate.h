// One loop for the CLR's enumerators (ICorProfiler…Enum): they hand out some at a time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "clr/abi/types.h"

namespace walkabout::clr {

template <typename Enum, typename Item>
Item item_of(HRESULT (Enum::*next)(uint32_t, Item*, uint32_t*));  // to name the type only

// Calls visit with each that is left in `all`, until the CLR has no more or fails. Makes no copy of them all;
// allocates nothing.
template <typename Enum, typename Visit>
void for_each(Enum& all, Visit visit) {
  constexpr uint32_t kAtOnce = 128;
  decltype(item_of(&Enum::Next)) some[kAtOnce];
  for (uint32_t n = 0; !failed(all.Next(kAtOnce, some, &n)) && n > 0; n = 0) {
    for (uint32_t i = 0; i < std::min(n, kAtOnce); ++i) visit(some[i]);
  }
}

}  // namespace walkabout::clr
