// What an optimizing compiler makes of a statement, by its IL (pdb/light_il.h finds it); recordings have the
// number (wire/line_records.h).
#pragma once

#include <cstdint>

namespace walkabout::base {

enum class StatementWeight : uint8_t {
  kAny = 0,
  kLight =
      1,      // it only jumps and puts constants into variables: one instruction for each at most, often none
  kStep = 2,  // a few cycles, and no call: it reads variables and computes pdb::kMostOperations at most, none
              // of them a division, or it takes an array's next element (pdb/element_il.h)
  kSplit = 3,  // as kAny, and it branches within itself: its code may be in several parts
};

}  // namespace walkabout::base
