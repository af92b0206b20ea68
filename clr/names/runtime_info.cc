#include "clr/names/runtime_info.h"

#include <charconv>

namespace walkabout::clr {
namespace {

constexpr std::string_view kProduct = ".NET";

}  // namespace

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
  std::string name(kProduct);
  if (!version) return name;
  return name + " " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->build);
}

int runtime_major(std::string_view name) {
  const size_t number = kProduct.size() + 1;
  int major = 0;
  if (name.starts_with(kProduct) && name.size() > number && name[number - 1] == ' ')
    std::from_chars(name.data() + number, name.data() + name.size(), major);
  return major;
}

}  // namespace walkabout::clr
