// What the runtime compiled before the agent was attached: found, checked and put into the code map, so that
// it is walked and named like what is compiled later. Called once, from ProfilerAttachComplete, when JIT
// events are already reported (what is compiled meanwhile is known then) and before the first tick.
//
// Methods with metadata are enumerated by the CLR (EnumJITedFunctions2, then every native code version of
// each). It leaves out dynamic methods and the stubs it compiles for marshalling and delegates
// (profilingenumerators.cpp, ProfilerFunctionEnum::Init): the agent searches the code heaps for
// them. In front of each compiled method a heap has a pointer to the method's header (jit_unwind.h); about
// every place that looks like one the CLR is asked (GetFunctionFromIP3). Measured: see bench/attach.py.
#pragma once

#include <vector>

#include "agent/core/code_registry.h"
#include "agent/linux/proc_self.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

// REQUIRES: the modules are known (collectible ones have their methods named at once).
void find_compiled_methods(clr::ICorProfilerInfo12* info, CodeRegistry& registry);
void find_dynamic_code(clr::ICorProfilerInfo12* info, CodeRegistry& registry,
                       const std::vector<Mapping>& memory);

}  // namespace walkabout::agent
