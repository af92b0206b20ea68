// How many bytes of IL a method has: what MethodJittingStarted says where an event tells of a compile. 0
// where the runtime says nothing, as of a dynamic method, whose callback has it.
//
// A body begins with a header, of one byte or of twelve (ECMA-335, II.25.4). In the middle of the runtime, by
// calls that start no collection. No allocation.
#pragma once

#include <cstdint>
#include <span>

#include "clr/abi/info.h"

namespace walkabout::clr {

uint32_t il_size(ICorProfilerInfo12& info, FunctionID function);

// Of a body with its header.
uint32_t il_size(std::span<const uint8_t> body);

}  // namespace walkabout::clr
