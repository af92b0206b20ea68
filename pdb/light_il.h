// Which parts of a method's IL do next to nothing. Hostile bytes. Pure; any thread. Sources: ECMA-335 II.25.4
// (method bodies), III (instructions).
#pragma once

#include <cstdint>

#include "precompiled/bytes.h"

namespace walkabout::pdb {

// The IL of a method whose body begins here; empty: it is none.
precompiled::Bytes il_of(precompiled::Bytes body);

// What an optimizing compiler makes of a statement.
enum class Weight : uint8_t {
  kAny = 0,
  kLight =
      1,      // it only jumps and puts constants into variables: one instruction for each at most, often none
  kStep = 2,  // it adds a constant to a variable, or subtracts one: one instruction, or part of what follows
};
Weight weight_of(precompiled::Bytes il);

}  // namespace walkabout::pdb
