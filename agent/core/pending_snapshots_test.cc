#include "agent/core/pending_snapshots.h"

#include <gtest/gtest.h>

#include "agent/core/fake_heap_runtime.h"

namespace walkabout::agent {
namespace {

using testing::FakeHeapRuntime;
using Progress = PendingSnapshots::Progress;

struct PendingSnapshotsTest : ::testing::Test {
  explicit PendingSnapshotsTest(bool lists = true) : info(lists), learner(registry, &info) {
    learner.knowledge().types.add(testing::kFakeBox, testing::fake_box_type(base::CodeId(3)));
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
    learner.knowledge().types.add(table(), testing::fake_box_type(base::CodeId(3)));
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
