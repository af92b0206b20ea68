#include "clr/names/module_identity.h"

#include <algorithm>
#include <array>

#include "clr/abi/com_ptr.h"
#include "clr/abi/metadata.h"
#include "clr/names/utf16.h"

namespace walkabout::clr {
namespace {
constexpr uint32_t kLongestPath = 1024;
}

ModuleIdentity module_identity(ICorProfilerInfo2& info, ModuleID module) {
  ModuleIdentity out;
  std::array<WCHAR, kLongestPath> text{};
  uint32_t length = 0;
  const uint8_t* base = nullptr;
  if (succeeded(info.GetModuleInfo(module, &base, kLongestPath, &length, text.data(), nullptr))) {
    const std::u16string_view path(text.data(), std::min(length, kLongestPath));
    out.path = to_utf8(path.substr(0, path.find(u'\0')));
  }
  ComPtr<IMetaDataImport2> import;
  GUID version{};
  if (succeeded(info.GetModuleMetaData(module, ofRead, IMetaDataImport2::kIid, import.put_unknown())) &&
      import && succeeded(import->GetScopeProps(text.data(), kLongestPath, &length, &version)) &&
      version != GUID{})
    out.version.assign(reinterpret_cast<const char*>(&version), sizeof version);
  return out;
}

}  // namespace walkabout::clr
