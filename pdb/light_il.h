// Which parts of a method's IL do next to nothing. Hostile bytes. Pure; any thread. Source: ECMA-335 III.
#pragma once

#include <cstddef>
#include <cstdint>

#include "precompiled/bytes.h"

namespace walkabout::pdb {

// What an optimizing compiler makes of a statement.
enum class Weight : uint8_t {
  kAny = 0,
  kLight =
      1,  // it only jumps and puts constants into variables: one instruction for each at most, often none
  kStep =
      2,  // a few cycles: it reads variables and computes kMostOperations at most, none of them a division
  kSplit = 3,  // as kAny, and it branches within itself: its code may be in several parts
};
inline constexpr size_t kMostOperations = 4;
// il: of the statement alone.
Weight weight_of(precompiled::Bytes il);

// Whether a statement begins with something on the evaluation stack, which `before`, the one before it, left
// there. Not known of every such statement: what a call leaves depends on what it calls.
bool begins_on_stack(precompiled::Bytes before, precompiled::Bytes il);

}  // namespace walkabout::pdb
