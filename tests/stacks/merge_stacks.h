// Puts a recorded stack and the code it needs into a file with others of the same process.
#pragma once

#include "tests/stacks/stack_file.h"

namespace walkabout::stacks {

// Adds `from` to `to`. False, and `to` is as it was, when the two do not agree on what lies where: code
// memory was used again between them.
bool merge(const StackFile& from, StackFile* to);

}  // namespace walkabout::stacks
