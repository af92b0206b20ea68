#include "agent/sources/event_capture.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <map>

#include "agent/sources/test_source.h"

namespace walkabout::agent {
namespace {

constexpr base::SourceId kCaptured(7);

// Events come with EventCapture alone.
class Storm final : public Source {
 public:
  explicit Storm(EventCapture::Share share, size_t labels_of_sums = 8)
      : capture_(kCaptured, share, labels_of_sums) {}
  wire::Source declaration(uint64_t) const override {
    wire::Source source;
    source.values.resize(2);
    source.labels.resize(2);
    return source;
  }
  base::Status start(const SourceContext& context) override {
    capture_.begin(context);
    return {};
  }
  void stop() override { capture_.end(); }
  void happen(uint64_t i) {
    const std::array<uint64_t, 2> values{i, 1};
    const std::array<uint64_t, 2> labels{i % 3 + 1, i};
    capture_.event(values, labels);
  }

 private:
  EventCapture capture_;
};

constexpr uint64_t kEventsInAll = 1000;
// One walk uses up what the thread may spend on walks.
constexpr uint32_t kOneWalk = 1'000'000'000;

TEST(EventCapture, WhereThereIsTimeEveryEventHasAStack) {
  testing::SourceWorld world;
  Storm storm(1);
  const auto taken = world.taken(storm, [&] {
    for (uint64_t i = 0; i < 10; ++i) storm.happen(i);
  });
  ASSERT_EQ(taken.size(), 10u);
  for (uint64_t i = 0; i < 10; ++i)
    EXPECT_EQ(taken[i], (testing::SourceWorld::Taken{{i, 1}, {i % 3 + 1, i}, true}));
}

TEST(EventCapture, WhatAStormIsNotWalkedForIsSummed) {
  testing::SourceWorld world;
  Storm storm(kOneWalk, 1);
  const auto taken = world.taken(storm, [&] {
    for (uint64_t i = 0; i < kEventsInAll; ++i) storm.happen(i);
  });
  ASSERT_EQ(taken.size(), 7u) << "the first, one of each first label, and a sum for each";
  std::map<uint64_t, uint64_t> events;
  uint64_t sum = 0;
  for (size_t i = 0; i < taken.size(); ++i) {
    const auto& one = taken[i];
    EXPECT_EQ(one.walked, i < 4);
    sum += one.values[0];
    events[one.labels[0]] += one.values[1];
    if (!one.walked) {
      EXPECT_EQ(one.labels[1], 0u) << "a sum keeps its first labels";
    }
  }
  EXPECT_EQ(sum, kEventsInAll * (kEventsInAll - 1) / 2);
  EXPECT_EQ(events, (std::map<uint64_t, uint64_t>{{1, 334}, {2, 333}, {3, 333}}));
}

// Broken by loads of types at the start, after which no method that is compiled has a stack.
TEST(EventCapture, RareEventsHaveHalfOfTheRing) {
  testing::SourceWorld world;
  Storm many(EventCapture::Share(50, true)), rare(1);
  ASSERT_TRUE(rare.start(world.context()).ok());
  const auto taken = world.taken(many, [&] {
    const wire::SlotHeader& shared = *world.context().threads.callback_slot()->shared;
    const std::atomic<uint64_t>& used = shared.lane(wire::Lane::kCallback).head;
    while (used.load() * 2 < shared.ring_size) rare.happen(3);
    many.happen(1);
    rare.happen(9);
    rare.stop();
  });
  ASSERT_GE(taken.size(), 3u);
  EXPECT_EQ(taken[taken.size() - 2], (testing::SourceWorld::Taken{{9, 1}, {1, 9}, true}));
  EXPECT_EQ(taken.back(), (testing::SourceWorld::Taken{{1, 1}, {2, 1}, false}));
}

// Broken by a source that waits until the runtime has announced the thread.
TEST(EventCapture, AThreadThatIsNotArmedYetIsArmed) {
  testing::SourceWorld world;
  Storm storm(1);
  EXPECT_TRUE(storm.start(world.context()).ok());
  std::thread([&] {
    storm.happen(5);
    EXPECT_NE(world.context().threads.callback_slot(), nullptr);
  }).join();
  storm.stop();
  EXPECT_EQ(world.context().threads.totals().of(kCaptured).samples, 1u);
}

// Broken by a source that arms every thread that raises an event: the spooler's would be sampled.
TEST(EventCapture, TheAgentsOwnThreadsAreLeftOut) {
  testing::SourceWorld world;
  Storm storm(1);
  EXPECT_TRUE(storm.start(world.context()).ok());
  OwnThread thread;
  std::atomic<pid_t> tid{0};
  ASSERT_TRUE(thread.start("own", &tid, [&] { storm.happen(5); }).ok());
  thread.join();
  storm.stop();
  EXPECT_EQ(world.context().threads.slot_count(), 0u);
  EXPECT_EQ(world.tally.lost(kCaptured), 0u);
}

}  // namespace
}  // namespace walkabout::agent
