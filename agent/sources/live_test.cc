#include "agent/sources/live.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "agent/sources/test_source.h"
#include "clr/abi/null_info.h"
#include "clr/events/allocation.h"

namespace walkabout::agent {
namespace {

using testing::event;
using testing::SourceWorld;

// WeakHandles are numbers; those of objects below a bound are empty.
class WeakHandles : public clr::NullICorProfilerInfo15 {
 public:
  clr::HRESULT QueryInterface(const clr::GUID& iid, void** object) override {
    if (iid != clr::ICorProfilerInfo13::kIid) return NullICorProfilerInfo15::QueryInterface(iid, object);
    *object = static_cast<clr::ICorProfilerInfo13*>(this);
    AddRef();
    return clr::S_OK;
  }
  clr::HRESULT CreateHandle(clr::ObjectID object, clr::COR_PRF_HANDLE_TYPE,
                            clr::ObjectHandleID* handle) override {
    ++living;
    *handle = reinterpret_cast<clr::ObjectHandleID>(object);
    return clr::S_OK;
  }
  clr::HRESULT DestroyHandle(clr::ObjectHandleID) override {
    --living;
    return clr::S_OK;
  }
  clr::HRESULT GetObjectIDFromHandle(clr::ObjectHandleID handle, clr::ObjectID* object) override {
    *object = reinterpret_cast<clr::ObjectID>(handle);
    return clr::S_OK;
  }
  std::atomic<int> living{0};
};

clr::testing::Payload allocated(uint64_t address, uint64_t size) {
  clr::testing::Payload payload;
  clr::testing::put<uint32_t>(payload, 0);
  clr::testing::put<uint16_t>(payload, 0);
  clr::testing::put<uint64_t>(payload, 0x1000);
  clr::testing::put_text(payload, u"Demo.Order");
  clr::testing::put<uint64_t>(payload, address);
  clr::testing::put<uint64_t>(payload, size);
  clr::testing::put<uint64_t>(payload, 0);
  return payload;
}

TEST(Live, AnObjectIsFollowedAndItsHandleGivenBack) {
  SourceWorld world;
  WeakHandles runtime;
  world.info = &runtime;
  LiveSource source;
  int most = 0;
  const auto taken = world.taken(source, [&] {
    for (uint64_t object = 1; object <= 3; ++object)
      source.on_event(event(clr::kAllocationSampled, allocated(0x100 * object, 1'024'000)));
    most = std::max(most, runtime.living.load());
  });
  EXPECT_EQ(most, 3);
  EXPECT_EQ(runtime.living, 0) << "after stop()";
  ASSERT_EQ(taken.size(), 3u);
  for (size_t i = 0; i < taken.size(); ++i) {
    EXPECT_TRUE(taken[i].walked);
    EXPECT_THAT(taken[i].values, ::testing::ElementsAre(1'024'046, ::testing::AnyOf(1, 2)))
        << "1.000045 objects";
    EXPECT_EQ(world.text(taken[i].labels[0]), "Demo.Order");
    EXPECT_EQ(taken[i].labels[1], i + 1);
  }
}

TEST(Live, WhereManyComeAShareIsFollowedAndStandsForAll) {
  SourceWorld world;
  WeakHandles runtime;
  world.info = &runtime;
  LiveSource source;
  constexpr uint64_t kObjects = 4 * LiveSource::kBurst;
  uint64_t events = 0;
  const auto taken = world.taken(source, [&] {
    if (events != 0) return;
    for (events = 1; events <= kObjects; ++events)
      source.on_event(event(clr::kAllocationSampled, allocated(0x100 * events, 102'400'000)));
  });
  EXPECT_LT(taken.size(), kObjects);
  EXPECT_EQ(runtime.living, 0);
}

TEST(Live, WithoutHandlesItIsNotRecorded) {
  SourceWorld world;
  LiveSource source;
  const base::Status started = source.start(world.context());
  ASSERT_FALSE(started.ok());
  EXPECT_NE(started.message().find("no handles"), std::string::npos);
  source.stop();
}

TEST(Live, CollectionsAreAskedForBesideAllocations) {
  const LiveSource source;
  EXPECT_EQ(source.needs(10).keywords, 0x80'000'000'001u);
  EXPECT_EQ(source.needs(9).keywords, 1u);
}

}  // namespace
}  // namespace walkabout::agent
