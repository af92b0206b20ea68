#include "clr/names/module_info.h"

#include "clr/names/utf16.h"

namespace walkabout::clr {
namespace {
constexpr uint32_t kPathLength = 1024;
}

std::optional<ModuleInfo> module_info(ICorProfilerInfo12* info, ModuleID module) {
  ModuleInfo out;
  const uint8_t* base = nullptr;
  uint32_t length = 0;
  AssemblyID assembly = 0;
  WCHAR path[kPathLength] = {};
  if (failed(info->GetModuleInfo2(module, &base, kPathLength, &length, path, &assembly, &out.flags)))
    return std::nullopt;
  out.base = reinterpret_cast<uint64_t>(base);
  out.path = to_utf8(path);
  return out;
}

}  // namespace walkabout::clr
