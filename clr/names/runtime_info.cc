#include "clr/names/runtime_info.h"

namespace walkabout::clr {

ComPtr<ICorProfilerInfo12> newest_info(IUnknown* info) {
  return ComPtr<IUnknown>(info).query<ICorProfilerInfo12>();
}

std::optional<RuntimeVersion> runtime_version(ICorProfilerInfo12* info) {
  COR_PRF_RUNTIME_TYPE type{};
  RuntimeVersion version;
  uint16_t instance = 0, fix = 0;
  uint32_t length = 0;
  if (failed(info->GetRuntimeInformation(&instance, &type, &version.major, &version.minor, &version.build,
                                         &fix, 0, &length, nullptr)))
    return std::nullopt;
  return version;
}

std::string runtime_name(ICorProfilerInfo12* info) {
  const std::optional<RuntimeVersion> version = runtime_version(info);
  if (!version) return ".NET";
  return ".NET " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->build);
}

}  // namespace walkabout::clr
