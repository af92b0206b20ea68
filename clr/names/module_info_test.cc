#include "clr/names/module_info.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "clr/abi/hresults.h"
#include "clr/abi/null_info.h"

namespace walkabout::clr {
namespace {

constexpr ModuleID kModule = 7;
constexpr std::u16string_view kPath = u"/srv/Größe.dll";

struct Runtime : NullICorProfilerInfo15 {
  HRESULT GetModuleInfo2(ModuleID module, const uint8_t** base, uint32_t capacity, uint32_t* length,
                         WCHAR* name, AssemblyID*, uint32_t* flags) override {
    if (module != kModule) return E_INVALIDARG;
    *base = reinterpret_cast<const uint8_t*>(0x10000);
    *flags = COR_PRF_MODULE_FLAT_LAYOUT;
    *length = static_cast<uint32_t>(std::min<size_t>(kPath.size() + 1, capacity));
    std::copy_n(kPath.begin(), *length - 1, name);
    return S_OK;
  }
};

TEST(ModuleInfo, IsWhatTheClrReports) {
  Runtime runtime;
  const std::optional<ModuleInfo> info = module_info(&runtime, kModule);
  ASSERT_TRUE(info.has_value());
  EXPECT_EQ(info->base, 0x10000u);
  EXPECT_EQ(info->flags, uint32_t{COR_PRF_MODULE_FLAT_LAYOUT});
  EXPECT_EQ(info->path, "/srv/Größe.dll");
}

TEST(ModuleInfo, OfAModuleTheClrDoesNotKnowThereIsNone) {
  Runtime runtime;
  EXPECT_FALSE(module_info(&runtime, kModule + 1).has_value());
}

}  // namespace
}  // namespace walkabout::clr
