// A managed function and the one rule that holds in all of it, but for its prolog and its epilogs.
#pragma once

#include <cstdint>

#include "unwind/rule/cfi_rule.h"

namespace walkabout::unwind {

struct ManagedFunction {
  uint64_t begin = 0;
  uint64_t end = 0;
  CompactRule rule;
  uint8_t prolog = 0;  // bytes
  bool plain = false;  // false: only running its unwind codes will do, the rule is none
};

}  // namespace walkabout::unwind
