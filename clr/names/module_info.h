// What the CLR says of a loaded module: where it is, from which file, of which kind. Asks the CLR, from any
// callback; allocates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "clr/abi/info.h"

namespace walkabout::clr {

struct ModuleInfo {
  uint64_t base = 0;   // where the image is mapped; 0: nowhere
  uint32_t flags = 0;  // COR_PRF_MODULE_FLAGS
  std::string path;    // at most 1023 UTF-16 units of it
};

// Nothing if the CLR refuses.
std::optional<ModuleInfo> module_info(ICorProfilerInfo12* info, ModuleID module);

}  // namespace walkabout::clr
