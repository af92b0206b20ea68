// Compiled code as the stream says it. Any thread, no state.
#pragma once

#include "agent/core/code_registry.h"
#include "base/ids.h"
#include "wire/records.h"

namespace walkabout::agent {

wire::JitCode jit_code_record(const CompiledMethod& compiled, base::MethodId method);

}  // namespace walkabout::agent
