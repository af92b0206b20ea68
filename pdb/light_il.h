// Which parts of a method's IL do next to nothing. Hostile bytes. Pure; any thread. Source: ECMA-335 III.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/statement_weight.h"
#include "precompiled/bytes.h"

namespace walkabout::pdb {

using Weight = base::StatementWeight;
inline constexpr size_t kMostOperations = 4;
// il: of the statement alone.
Weight weight_of(precompiled::Bytes il);

// Whether a statement begins with something on the evaluation stack, which `before`, the one before it, left
// there. Not known of every such statement: what a call leaves depends on what it calls.
bool begins_on_stack(precompiled::Bytes before, precompiled::Bytes il);

}  // namespace walkabout::pdb
