// Which runtime the agent is in: its newest interface that we know, its version and name. Asks the CLR, from
// any callback; name allocates.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"

namespace walkabout::clr {

// Of what Initialize is given. Empty if it is null or the runtime is older than .NET 5, which is the first
// with ICorProfilerInfo12 (the event pipe).
ComPtr<ICorProfilerInfo12> newest_info(IUnknown* info);

struct RuntimeVersion {
  uint16_t major = 0, minor = 0, build = 0;
};
// Nothing if the runtime does not say.
std::optional<RuntimeVersion> runtime_version(ICorProfilerInfo12* info);
// ".NET 10.0.1", ".NET" if it does not say more.
std::string runtime_name(ICorProfilerInfo12* info);
// Of such a name: 10. 0 if it does not say.
int runtime_major(std::string_view name);

}  // namespace walkabout::clr
