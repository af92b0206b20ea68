// The profiler that the agent's library has beside the agent, under a CLSID of its own: the one that changes
// methods (agent/linux/calls/code_port.h). Windows has none. Any thread.
#pragma once

#include "clr/abi/class_factory.h"

namespace walkabout::agent {

// As DllGetClassObject.
clr::HRESULT serve_code_port(const clr::GUID& clsid, const clr::GUID& riid, void** object);

}  // namespace walkabout::agent
