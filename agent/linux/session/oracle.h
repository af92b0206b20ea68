// The CLR's own walk of the interrupted thread, for --oracle: DoStackSnapshot seeded with the registers of
// the topmost managed frame, on the thread itself, inside the handler or the callback that takes the sample.
// The CLR promises no signal safety for that; it is a judge for test runs, not for production.
#pragma once

#include "agent/linux/handler/handler.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

// Before the first tick.
OracleWalk prepare_oracle(clr::ICorProfilerInfo12* info);

// The runtime begins to stop its threads, and lets them go on (see agent/shared/oracle_gate.h). On its
// thread.
void runtime_suspends();
void runtime_resumed();

}  // namespace walkabout::agent
