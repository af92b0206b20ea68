// What a traced method calls to have its arguments and its result taken (values/value_code.h): they are kept
// with the call until it is known whether it was slow.
//
// Called as those of traced_call.h are, by a thread that runs managed code, and under the same rules. token:
// what enter gave; 0, or one whose call is not the last that began: nothing is taken.
#pragma once

#include <cstdint>

#include "values/value_code.h"

namespace walkabout::agent {

// Which types can be unloaded depends on the runtime (values/managed_memory.h). Before any value is taken;
// any thread.
void know_runtime_of_values(uint16_t major);

values::ValueFunctions traced_value_functions();

}  // namespace walkabout::agent
