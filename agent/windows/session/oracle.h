// The CLR's own walk of the calling thread in a callback, for --oracle: DoStackSnapshot seeded with the
// registers of its topmost managed frame.
#pragma once

#include "agent/windows/capture.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

// Before the first capture. The walk takes the CLR's locks and as much stack as it needs.
OracleWalk prepare_oracle(clr::ICorProfilerInfo2* info);

// The runtime begins to stop its threads, and lets them go on (see agent/shared/oracle_gate.h). On its
// thread.
void runtime_suspends();
void runtime_resumed();

}  // namespace walkabout::agent
