// Tests: the calling thread's shadow stack of traced calls, in place of the CLR's own walk (oracle.h). Each
// frame is a FrameKind::kLeftOut of the method's number, leaf first; the answer is kShadowStack.
#pragma once

#include "agent/linux/handler/capture.h"

namespace walkabout::agent {

// The hresult of such an Oracle record, one of our own as wire::kInsideRuntime is.
inline constexpr uint32_t kShadowStack = 0xA0040004;

// Not in a handler. What it gives is async-signal-safe, and answers wire::kInsideRuntime where many threads
// copy theirs at once, or where a copy is not of one moment.
OracleWalk prepare_shadow_oracle();

}  // namespace walkabout::agent
