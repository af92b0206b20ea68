// A method's name, and its compiled code, as the stream says them. Any thread, no state.
#pragma once

#include "agent/core/code_registry.h"
#include "base/ids.h"
#include "clr/names/method_name.h"
#include "wire/records.h"

namespace walkabout::agent {

wire::Method method_record(base::MethodId id, clr::MethodName name);
wire::JitCode jit_code_record(const CompiledMethod& compiled, base::MethodId method);

}  // namespace walkabout::agent
