// Walks a recorded stack in every way the walker can, and says what differs from what is expected.
#pragma once

#include <string>

#include "tests/stacks/recorded_process.h"

namespace walkabout::stacks {

// The ways: without a memo; with one that knows nothing, then with what it learned; `memo` also brings what
// other stacks of the process taught it. Empty: all gave the expected frames. REQUIRES: the stack is of the
// process.
std::string check_stack(const RecordedProcess& process, const RecordedStack& stack, unwind::WalkMemo* memo);

}  // namespace walkabout::stacks
