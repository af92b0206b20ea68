#include "agent/core/live_objects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "clr/abi/null_info.h"

namespace walkabout::agent {
namespace {

// A runtime whose collector takes the objects that the test says.
class Handles : public clr::NullICorProfilerInfo15 {
 public:
  clr::HRESULT CreateHandle(clr::ObjectID object, clr::COR_PRF_HANDLE_TYPE type,
                            clr::ObjectHandleID* handle) override {
    EXPECT_EQ(type, clr::COR_PRF_HANDLE_TYPE_WEAK);
    if (refuses) return clr::E_FAIL;
    *handle = reinterpret_cast<clr::ObjectHandleID>(new std::atomic<clr::ObjectID>(object));
    ++living;
    return clr::S_OK;
  }
  clr::HRESULT DestroyHandle(clr::ObjectHandleID handle) override {
    delete slot(handle);
    --living;
    return clr::S_OK;
  }
  clr::HRESULT GetObjectIDFromHandle(clr::ObjectHandleID handle, clr::ObjectID* object) override {
    const clr::ObjectID held = slot(handle)->load();
    *object = held < collected_below ? 0 : held;
    return clr::S_OK;
  }
  std::atomic<int> living{0};
  clr::ObjectID collected_below = 0;
  bool refuses = false;

 private:
  static std::atomic<clr::ObjectID>* slot(clr::ObjectHandleID handle) {
    return reinterpret_cast<std::atomic<clr::ObjectID>*>(handle);
  }
};

struct LiveObjectsTest : ::testing::Test {
  LiveObjectsTest() { objects.begin(&runtime); }
  ~LiveObjectsTest() override {
    objects.end();
    EXPECT_EQ(runtime.living, 0) << "all handles are given back";
  }
  Handles runtime;
  LiveObjects objects;
};

TEST_F(LiveObjectsTest, WhatWasCollectedIsReportedOnce) {
  std::set<uint64_t> old;
  for (clr::ObjectID object = 1; object <= 10; ++object) {
    const auto followed = objects.follow(object);
    ASSERT_TRUE(followed);
    if (object < 5) old.insert(followed->number);
  }
  std::vector<uint64_t> gone;
  objects.sweep(gone);
  EXPECT_TRUE(gone.empty());
  runtime.collected_below = 5;
  objects.sweep(gone);
  EXPECT_EQ(std::set<uint64_t>(gone.begin(), gone.end()), old);
  objects.sweep(gone);
  EXPECT_EQ(gone.size(), old.size());
  EXPECT_EQ(objects.count(), 6u);
  EXPECT_EQ(runtime.living, 6);
}

TEST_F(LiveObjectsTest, AnObjectWithoutASampleIsForgotten) {
  const auto first = objects.follow(1);
  ASSERT_TRUE(first);
  objects.forget(*first);
  objects.forget(*first);
  EXPECT_EQ(objects.count(), 0u);
  EXPECT_EQ(runtime.living, 0);
  runtime.refuses = true;
  EXPECT_FALSE(objects.follow(2));
  EXPECT_EQ(objects.count(), 0u);
}

TEST_F(LiveObjectsTest, HalvingGivesUpAboutHalfOfThem) {
  constexpr size_t kObjects = 10'000;
  for (size_t i = 1; i <= kObjects; ++i) ASSERT_TRUE(objects.follow(i));
  std::vector<uint64_t> gone;
  objects.halve(0x9e3779b97f4a7c15, gone);
  EXPECT_NEAR(static_cast<double>(gone.size()), kObjects / 2, 300);  // six standard deviations
  EXPECT_EQ(objects.count() + gone.size(), kObjects);
  EXPECT_EQ(runtime.living, static_cast<int>(objects.count()));
}

TEST_F(LiveObjectsTest, WhereThereIsNoRoomNothingIsFollowed) {
  size_t followed = 0;
  for (size_t i = 1; i <= 80'000; ++i) followed += objects.follow(i).has_value();
  EXPECT_GE(followed, LiveObjects::kMost);
  EXPECT_LT(followed, 70'000u);
  EXPECT_EQ(objects.count(), followed);
}

// Threads allocate while the last handles are given back.
TEST_F(LiveObjectsTest, NoHandleIsLeftWhereAllocationsGoOnAtTheEnd) {
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (clr::ObjectID object = 1; !over; ++object) {
        if (const auto followed = objects.follow(object); followed && object % 3 == 0)
          objects.forget(*followed);
      }
    });
  }
  std::vector<uint64_t> gone;
  for (int i = 0; i < 20; ++i) {
    runtime.collected_below += 100;
    objects.sweep(gone);
    objects.halve(static_cast<uint64_t>(i) * 2 + 1, gone);
  }
  objects.end();
  over = true;
  for (std::thread& thread : threads) thread.join();
  std::sort(gone.begin(), gone.end());
  EXPECT_EQ(std::adjacent_find(gone.begin(), gone.end()), gone.end()) << "each once";
  EXPECT_FALSE(objects.follow(1));
}

}  // namespace
}  // namespace walkabout::agent
