#include "agent/core/pending_snapshots.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "agent/core/fake_managed_code.h"
#include "clr/abi/null_info.h"

namespace walkabout::agent {
namespace {

using Progress = PendingSnapshots::Progress;

constexpr clr::ClassID kBox = 0x9000, kOther = 0x9100;

// A runtime with a heap of a few objects, which move at each collection.
struct FakeHeapRuntime : clr::NullICorProfilerInfo15 {
  explicit FakeHeapRuntime(bool lists_objects) : lists(lists_objects) {}
  clr::HRESULT QueryInterface(const clr::GUID& iid, void** object) override {
    if (iid == clr::ICorProfilerInfo15::kIid && !lists) return clr::E_FAIL;
    *object = this;
    AddRef();
    return clr::S_OK;
  }
  clr::HRESULT SuspendRuntime() override {
    if (refuses) return clr::E_FAIL;
    ++suspended;
    if (on_suspend) on_suspend();
    return clr::S_OK;
  }
  clr::HRESULT ResumeRuntime() override {
    --suspended;
    return clr::S_OK;
  }
  clr::HRESULT EnumerateGCHeapObjects(clr::ObjectCallback callback, void* state) override {
    EXPECT_EQ(suspended, 1);
    ++walks;
    for (const auto& object : objects) {
      if (callback(reinterpret_cast<clr::ObjectID>(object.get()), state) == 0) break;
    }
    return clr::S_OK;
  }
  clr::HRESULT CreateHandle(clr::ObjectID object, clr::COR_PRF_HANDLE_TYPE type,
                            clr::ObjectHandleID* handle) override {
    EXPECT_EQ(suspended, 1);
    EXPECT_EQ(type, clr::COR_PRF_HANDLE_TYPE_WEAK);
    handles[*handle = ++last_handle] = object;
    return clr::S_OK;
  }
  clr::HRESULT DestroyHandle(clr::ObjectHandleID handle) override {
    EXPECT_EQ(handles.erase(handle), 1u);
    return clr::S_OK;
  }
  clr::HRESULT GetObjectIDFromHandle(clr::ObjectHandleID handle, clr::ObjectID* object) override {
    *object = handles.at(handle);
    return clr::S_OK;
  }
  clr::HRESULT GetGenerationBounds(uint32_t, uint32_t* count, clr::COR_PRF_GC_GENERATION_RANGE* to) override {
    *count = static_cast<uint32_t>(ranges.size());
    std::copy(ranges.begin(), ranges.end(), to);
    return clr::S_OK;
  }

  struct Object {
    uint64_t method_table, next, state, builder;
  };
  Object& box(int32_t state) {
    Object& made = *objects.emplace_back(std::make_unique<Object>());
    made = {kBox, 0, static_cast<uint64_t>(state), reinterpret_cast<uint64_t>(&made)};
    return made;
  }
  void collect() {
    for (auto& object : objects) {
      auto moved = std::make_unique<Object>(*object);
      moved->builder = reinterpret_cast<uint64_t>(moved.get());
      for (auto& [handle, at] : handles)
        if (at == reinterpret_cast<uint64_t>(object.get())) at = reinterpret_cast<uint64_t>(moved.get());
      graves.push_back(std::move(object));
      object = std::move(moved);
    }
  }

  const bool lists;
  bool refuses = false;
  std::function<void()> on_suspend;
  int suspended = 0, walks = 0;
  std::vector<std::unique_ptr<Object>> objects, graves;
  std::unordered_map<clr::ObjectHandleID, clr::ObjectID> handles;
  clr::ObjectHandleID last_handle = 0;
  std::vector<clr::COR_PRF_GC_GENERATION_RANGE> ranges;
};

struct PendingSnapshotsTest : ::testing::Test {
  explicit PendingSnapshotsTest(bool lists = true) : info(lists), learner(registry, &info) {
    learner.knowledge().types.add(kBox, {.kind = unwind::AsyncKind::kBox,
                                         .next = 8,
                                         .machine_at = 16,
                                         .state_at = 0,
                                         .builder_at = 8,
                                         .method = base::CodeId(3)});
  }

  unwind::ReaderGate gate;
  CodeRegistry registry{gate};
  FakeHeapRuntime info;
  AsyncLearner learner;
  CollectionState collections;
  PendingSnapshots snapshots{{&info, learner, collections, false, 1'000'000'000, true}};
};

TEST_F(PendingSnapshotsTest, FindsWhatWaits) {
  info.box(2);
  info.box(-1);
  EXPECT_EQ(snapshots.take(), Progress::kTaken);
  ASSERT_EQ(snapshots.walk().found().size(), 1u);
  EXPECT_EQ(snapshots.walk().found()[0].state, 2);
  EXPECT_EQ(info.suspended, 0);
}

TEST_F(PendingSnapshotsTest, NotWhileTheRuntimeCollects) {
  collections.started(true);
  EXPECT_EQ(snapshots.take(), Progress::kWaits);
  EXPECT_EQ(info.walks, 0);
  collections.finished();
  info.on_suspend = [this] { collections.started(true); };  // at the last moment
  EXPECT_EQ(snapshots.take(), Progress::kWaits);
  EXPECT_EQ(info.walks, 0);
  EXPECT_EQ(info.suspended, 0);
}

TEST_F(PendingSnapshotsTest, NotWhileOthersStopTheThreads) {
  info.refuses = true;
  EXPECT_EQ(snapshots.take(), Progress::kWaits);
  info.refuses = false;
  EXPECT_EQ(snapshots.take(), Progress::kTaken);
}

TEST_F(PendingSnapshotsTest, SinceTheFirstThatSawIt) {
  FakeHeapRuntime::Object& box = info.box(0);
  ASSERT_EQ(snapshots.take(), Progress::kTaken);
  const uint64_t first_ns = snapshots.time_ns();
  EXPECT_EQ(snapshots.since_ns(0), first_ns);
  info.collect();
  info.box(1);
  ASSERT_EQ(snapshots.take(), Progress::kTaken);
  EXPECT_EQ(snapshots.since_ns(0), first_ns);
  EXPECT_EQ(snapshots.since_ns(1), snapshots.time_ns());
  info.objects[0]->state = 1;  // it has gone on, and waits again
  ASSERT_EQ(snapshots.take(), Progress::kTaken);
  EXPECT_EQ(snapshots.since_ns(0), snapshots.time_ns());
  info.objects[0]->state = static_cast<uint64_t>(-2);
  ASSERT_EQ(snapshots.take(), Progress::kTaken);
  EXPECT_EQ(info.handles.size(), 1u) << "of what waits no more nothing is kept";
  snapshots.end();
  EXPECT_TRUE(info.handles.empty());
  static_cast<void>(box);
}

struct RidingSnapshotsTest : PendingSnapshotsTest {
  RidingSnapshotsTest() : PendingSnapshotsTest(false) {
    tables[0] = 0x20;  // the size, and no elements
    tables[0] <<= 32;
    tables[2] = 1;  // a parent
    learner.knowledge().types.add(table(), {.kind = unwind::AsyncKind::kBox,
                                            .next = 8,
                                            .machine_at = 16,
                                            .state_at = 0,
                                            .builder_at = 8,
                                            .method = base::CodeId(3)});
    for (size_t i = 0; i < 3; ++i) {
      uint64_t* object = &heap[i * 4];
      object[0] = table();
      object[2] = i == 1 ? static_cast<uint64_t>(-1) : i;
      object[3] = reinterpret_cast<uint64_t>(object);
    }
    info.ranges = {{clr::COR_PRF_GC_GEN_0, reinterpret_cast<uintptr_t>(heap), sizeof heap, sizeof heap}};
  }
  uint64_t table() const { return reinterpret_cast<uint64_t>(tables); }
  void collect() {
    collections.all_stand();
    collections.started(false);
    if (collections.finished()) snapshots.collection_finished();
    collections.resumes();
  }
  uint64_t heap[12] = {}, tables[3] = {};
};

TEST_F(RidingSnapshotsTest, WalksAtTheEndOfTheNextCollection) {
  collect();  // nobody has asked
  EXPECT_EQ(snapshots.take(), Progress::kWaits);
  EXPECT_EQ(snapshots.take(), Progress::kWaits);
  collect();
  EXPECT_EQ(snapshots.take(), Progress::kTaken);
  EXPECT_EQ(snapshots.walk().objects(), 3u);
  ASSERT_EQ(snapshots.walk().found().size(), 2u);
  EXPECT_EQ(snapshots.walk().found()[1].state, 2);
  EXPECT_EQ(snapshots.since_ns(0), 0u) << "not known";
  EXPECT_TRUE(snapshots.walk().whole());
}

TEST_F(RidingSnapshotsTest, WhatIsNoObjectEndsItsRegion) {
  heap[4] = 3;
  snapshots.take();
  collect();
  EXPECT_EQ(snapshots.take(), Progress::kTaken);
  EXPECT_EQ(snapshots.walk().objects(), 1u);
  EXPECT_FALSE(snapshots.walk().whole());
}

TEST_F(RidingSnapshotsTest, StoppedItRidesNoMore) {
  snapshots.take();
  snapshots.stop();
  collect();
  EXPECT_EQ(snapshots.walk().objects(), 0u);
}

}  // namespace
}  // namespace walkabout::agent
