#include "clr/names/runtime_info.h"

#include <gtest/gtest.h>

#include "clr/abi/hresults.h"
#include "clr/abi/null_info.h"

namespace walkabout::clr {
namespace {

struct RuntimeOfKind : NullICorProfilerInfo15 {
  explicit RuntimeOfKind(bool does) : implemented(does) {}
  HRESULT QueryInterface(const GUID& riid, void** object) override {
    if (riid != ICorProfilerInfo12::kIid) return NullICorProfilerInfo15::QueryInterface(riid, object);
    *object = static_cast<ICorProfilerInfo12*>(this);
    AddRef();
    return S_OK;
  }
  HRESULT GetRuntimeInformation(uint16_t*, COR_PRF_RUNTIME_TYPE*, uint16_t* major, uint16_t* minor,
                                uint16_t* build, uint16_t*, uint32_t, uint32_t*, WCHAR*) override {
    *major = 10, *minor = 2, *build = 7;
    return implemented ? S_OK : E_NOTIMPL;
  }
  const bool implemented;
};

struct OldRuntime : NullICorProfilerInfo15 {};

TEST(RuntimeInfo, NamesTheVersionItIsGiven) {
  RuntimeOfKind runtime(true);
  const uint32_t before = runtime.references;
  {
    const auto info = newest_info(static_cast<ICorProfilerInfo12*>(&runtime));
    ASSERT_TRUE(info);
    EXPECT_EQ(runtime.references, before + 1);
    EXPECT_EQ(runtime_name(info.get()), ".NET 10.2.7");
    EXPECT_EQ(runtime_version(info.get())->major, 10);
    EXPECT_EQ(runtime_major(runtime_name(info.get())), 10);
  }
  EXPECT_EQ(runtime.references, before);
}

TEST(RuntimeInfo, ARuntimeThatDoesNotReportItHasNoVersion) {
  RuntimeOfKind runtime(false);
  EXPECT_FALSE(runtime_version(&runtime).has_value());
  EXPECT_EQ(runtime_name(&runtime), ".NET");
  for (const char* name : {".NET", ".NET ", ".NETx10", "", "10"}) EXPECT_EQ(runtime_major(name), 0) << name;
}

TEST(RuntimeInfo, WithoutTheInterfaceItIsTooOld) {
  OldRuntime runtime;
  EXPECT_FALSE(newest_info(static_cast<ICorProfilerInfo12*>(&runtime)));
  EXPECT_FALSE(newest_info(nullptr));
}

}  // namespace
}  // namespace walkabout::clr
