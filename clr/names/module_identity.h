// Which file a module with IL is: where it lies, and its MVID, that no other build has. Asks the CLR, which
// must have the module; allocates. What the CLR refuses is empty.
#pragma once

#include <string>

#include "clr/abi/info.h"

namespace walkabout::clr {

struct ModuleIdentity {
  std::string path;     // at most 1023 UTF-16 units of it
  std::string version;  // 16 bytes
};

ModuleIdentity module_identity(ICorProfilerInfo2& info, ModuleID module);

}  // namespace walkabout::clr
