// Walks again, without a memo, and writes down everything the walk reads of the process's memory.
// Async-signal-safe. REQUIRES: inside the code map's gate; `memory` is the handler's own.
#pragma once

#include "tests/stacks/capture/captured_walk.h"

namespace walkabout::stacks {

using WalkFunction = decltype(&unwind::walk);

// walker: the walker's own walk(), which the capturing agent has to name in another way (hooks.cc). False
// when what was read does not fit into a captured walk.
bool trace(WalkFunction walker, const unwind::Memory& memory, const unwind::CodeMap& code,
           CapturedWalk* walk);

}  // namespace walkabout::stacks
