// From a captured walk and the living process's code map to a recorded stack with the parts of the map it
// needs.
//
// On the capture thread. REQUIRES: inside the code map's gate.
#pragma once

#include "tests/stacks/capture/captured_walk.h"
#include "tests/stacks/stack_file.h"

namespace walkabout::stacks {

// One stack with its code. Of the stack's words that the walk did not read, those are kept that point to the
// stack or to code; the others, which may be anything of the program's, are left as 0. False when the code
// changed meanwhile.
bool reduce(const CapturedWalk& walk, const unwind::CodeMap& code, StackFile* file);

}  // namespace walkabout::stacks
