// Unwind data of code that no map of ours knows: the system's dynamic function tables, where the runtime
// registers its stubs. The system takes a lock for it. Source: RtlLookupFunctionEntry.
#pragma once

#include "unwind/managed/pe_walk.h"

namespace walkabout::agent {

// Fits unwind::PeCodeMap::find_dynamic.
bool find_dynamic_function(uint64_t pc, unwind::DynamicFunction* function);

}  // namespace walkabout::agent
