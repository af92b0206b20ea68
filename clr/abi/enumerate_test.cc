#include "clr/abi/enumerate.h"

#include <gtest/gtest.h>

#include <vector>

#include "clr/abi/info_helpers.h"

namespace walkabout::clr {
namespace {

// Hands out 1, 2, 3 … up to `count`; after `fails_after` of them it fails.
class Modules : public ICorProfilerModuleEnum {
 public:
  Modules(uint32_t count, uint32_t fails_after) : count_(count), fails_after_(fails_after) {}
  HRESULT QueryInterface(const GUID&, void**) override { return E_NOINTERFACE; }
  uint32_t AddRef() override { return 1; }
  uint32_t Release() override { return 1; }
  HRESULT Skip(uint32_t) override { return E_FAIL; }
  HRESULT Reset() override { return E_FAIL; }
  HRESULT Clone(ICorProfilerModuleEnum**) override { return E_FAIL; }
  HRESULT GetCount(uint32_t*) override { return E_FAIL; }
  HRESULT Next(uint32_t most, ModuleID* ids, uint32_t* fetched) override {
    if (given_ >= fails_after_) return E_FAIL;
    for (*fetched = 0; *fetched < most && given_ < count_; ++*fetched) ids[*fetched] = ++given_;
    return *fetched == most ? S_OK : S_FALSE;
  }

 private:
  uint32_t count_, fails_after_, given_ = 0;
};

std::vector<ModuleID> all_of(Modules modules) {
  std::vector<ModuleID> seen;
  for_each(modules, [&seen](ModuleID id) { seen.push_back(id); });
  return seen;
}

TEST(ForEach, VisitsEachOnceInOrder) {
  for (const uint32_t count : {0u, 1u, 127u, 128u, 129u, 1000u}) {
    const std::vector<ModuleID> seen = all_of({count, 10'000});
    ASSERT_EQ(seen.size(), count);
    for (uint32_t i = 0; i < count; ++i) ASSERT_EQ(seen[i], i + 1);
  }
}

TEST(ForEach, EndsWhereTheClrFails) {
  EXPECT_TRUE(all_of({10, 0}).empty());
  EXPECT_LT(all_of({1000, 200}).size(), 1000u);
}

}  // namespace
}  // namespace walkabout::clr
