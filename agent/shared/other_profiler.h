// The profiler that the agent's library has beside the agent, under a CLSID of its own: on Linux the one that
// rewrites methods (agent/linux/calls/code_port.h), on Windows none. Any thread.
#pragma once

#include "clr/abi/class_factory.h"

namespace walkabout::agent {

// As DllGetClassObject.
clr::HRESULT serve_other_profiler(const clr::GUID& clsid, const clr::GUID& riid, void** object);

}  // namespace walkabout::agent
