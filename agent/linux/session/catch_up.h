// What the runtime compiled before the agent was attached: found, checked and put into the code map, so that
// it is walked and named like what is compiled later. Called once, from ProfilerAttachComplete, when JIT
// events are already reported (what is compiled meanwhile is known then) and before the first tick.
//
// Methods with metadata are enumerated by the CLR (EnumJITedFunctions2, then every native code version of
// each). It leaves out dynamic methods and the stubs it compiles for marshalling and delegates
// (profilingenumerators.cpp, ProfilerFunctionEnum::Init): the agent searches the code heaps for them, and on
// .NET 8, whose list is not safe, for all methods. In front of each compiled method a heap has a pointer to
// the method's header (jit_unwind.h). The agent asks the CLR about every place that looks like one
// (GetFunctionFromIP3). Measured: see bench/attach.py. Code of modules that are being unloaded is left out,
// because nothing runs it any more.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "agent/core/code_registry.h"
#include "agent/linux/proc_self.h"
#include "agent/linux/session/catch_up_gate.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

// runtime: 8 of .NET 8. memory: looks at what is mapped. REQUIRES: the gate has begun and knows the modules,
// and so does the registry (with collectible ones methods are named at once).
void find_compiled_methods(clr::ICorProfilerInfo12* info, uint32_t runtime, CodeRegistry& registry,
                           CatchUpGate& gate, const std::function<std::vector<Mapping>()>& memory);

}  // namespace walkabout::agent
