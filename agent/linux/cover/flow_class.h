// A class that is added to a test assembly when it is loaded: it keeps the flow's test in an AsyncLocal,
// which the runtime takes along to all that a flow starts, and tells the agent when a thread's changes
// (test_flow.h).
//
//   static AsyncLocal<long> flow = new(Changed);
//   static long Enter(long test) { long old = walkabout_cover_enter(test); if (old != -1) flow.Value = test;
//   return old; } static void Leave(long old) { if (old != -1) flow.Value = old; } static void
//   Changed(AsyncLocalValueChangedArgs<long> args) { walkabout_cover_flow(lane, args.CurrentValue); }
#pragma once

#include <cstdint>
#include <optional>

#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"
#include "clr/abi/metadata.h"

namespace walkabout::agent {

// Tokens of its methods, in that module.
struct FlowClass {
  clr::mdMethodDef enter = 0, leave = 0;
};

// In the module's load, before anything of it runs. None: the runtime does not add to the module.
std::optional<FlowClass> add_flow_class(clr::ICorProfilerInfo12& info, clr::ModuleID module, uint32_t lane);

}  // namespace walkabout::agent
