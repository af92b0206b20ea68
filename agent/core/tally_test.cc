#include "agent/core/tally.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>
#include <vector>

namespace walkabout::agent {
namespace {

constexpr base::SourceId kSource(3);

std::vector<Tally::Sum> taken(Tally& tally) {
  std::vector<Tally::Sum> all;
  tally.take([&all](const Tally::Sum& sum) {
    all.push_back(sum);
    return Tally::Taken::kEmitted;
  });
  return all;
}

void add(Tally& tally, uint32_t thread, uint64_t value, uint64_t label) {
  const std::array<uint64_t, 2> values{value, 1};
  const std::array<uint64_t, 1> labels{label};
  EXPECT_TRUE(tally.add(base::ThreadId(thread), kSource, values, labels));
}

TEST(Tally, WhatIsAlikeAddsUp) {
  Tally tally;
  add(tally, 1, 10, 5);
  add(tally, 1, 20, 5);
  add(tally, 1, 7, 6);
  add(tally, 2, 1, 5);
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> sums;
  for (const Tally::Sum& sum : taken(tally)) sums[{sum.thread.value, sum.labels[0]}] = sum.values[0];
  EXPECT_EQ(sums,
            (std::map<std::pair<uint32_t, uint64_t>, uint64_t>{{{1, 5}, 30}, {{1, 6}, 7}, {{2, 5}, 1}}));
}

TEST(Tally, WhatWasTakenIsGone) {
  Tally tally;
  add(tally, 1, 10, 5);
  EXPECT_EQ(taken(tally).size(), 1u);
  EXPECT_TRUE(taken(tally).empty());
  add(tally, 1, 3, 5);
  ASSERT_EQ(taken(tally).size(), 1u);
}

// Broken by amounts that are lost with their labels.
TEST(Tally, AFullTableKeepsTheAmountsWithoutTheirLabels) {
  Tally tally;
  const std::array<uint64_t, 1> values{1};
  const Tally::Row* without_labels = tally.row(base::ThreadId(1), kSource, {});
  ASSERT_NE(without_labels, nullptr);
  EXPECT_TRUE(Tally::is_first(*without_labels));
  constexpr uint64_t kEvents = 2 * Tally::kMostRows;
  for (uint64_t label = 1; label <= kEvents; ++label)
    EXPECT_TRUE(tally.add(base::ThreadId(1), kSource, values, {&label, 1}));
  uint64_t sum = 0, without_label = 0;
  for (const Tally::Sum& one : taken(tally)) {
    sum += one.values[0];
    if (one.labels[0] == 0) without_label += one.values[0];
  }
  EXPECT_EQ(sum, kEvents);
  EXPECT_GE(without_label, Tally::kMostRows);
  EXPECT_EQ(tally.lost(kSource), 0u);
}

TEST(Tally, LabelsAreNewOnceAndWhereThereIsRoom) {
  Tally tally;
  uint64_t first = 0;
  for (uint64_t label = 1; label <= 2 * Tally::kMostRows; ++label) {
    Tally::Row* const row = tally.row(base::ThreadId(1), kSource, {&label, 1});
    if (row == nullptr) continue;
    ++first;
    EXPECT_TRUE(Tally::is_first(*row));
    EXPECT_EQ(tally.row(base::ThreadId(1), kSource, {&label, 1}), row);
    EXPECT_TRUE(Tally::is_first(*row)) << "until one was walked";
    Tally::walked(*row);
    EXPECT_FALSE(Tally::is_first(*tally.row(base::ThreadId(1), kSource, {&label, 1})));
  }
  EXPECT_LE(first, Tally::kMostRows);
  EXPECT_GT(first, Tally::kMostRows / 2);
}

TEST(Tally, TheRowsOfThreadsThatEndedAreUsedAgain) {
  Tally tally;
  const std::array<uint64_t, 1> values{1};
  for (uint32_t thread = 1; thread < 20; ++thread) {
    for (uint64_t label = 0; label < Tally::kMostRows / 2; ++label)
      EXPECT_TRUE(tally.add(base::ThreadId(thread), kSource, values, {&label, 1}));
    EXPECT_EQ(taken(tally).size(), Tally::kMostRows / 2);
    tally.free_rows_of(base::ThreadId(thread));
  }
}

TEST(Tally, NothingIsLostWhileItIsTaken) {
  Tally tally;
  constexpr uint64_t kTimes = 50'000;
  std::atomic<int> running{3};
  std::vector<std::thread> threads;
  for (uint32_t thread = 1; thread <= 3; ++thread) {
    threads.emplace_back([&tally, &running, thread] {
      for (uint64_t i = 0; i < kTimes; ++i) add(tally, thread, 1, i % 3);
      running.fetch_sub(1);
    });
  }
  std::map<uint32_t, uint64_t> sums;
  const auto take = [&] {
    for (const Tally::Sum& sum : taken(tally)) sums[sum.thread.value] += sum.values[0];
  };
  while (running.load() != 0) take();
  for (std::thread& thread : threads) thread.join();
  take();
  for (uint32_t thread = 1; thread <= 3; ++thread) EXPECT_EQ(sums[thread], kTimes);
}

TEST(Tally, OfSomeValuesTheLargestCounts) {
  Tally tally;
  const uint64_t label[] = {1};
  for (const uint64_t size : {5, 9, 7})
    EXPECT_TRUE(tally.add(base::ThreadId(1), base::SourceId(7), std::array<uint64_t, 2>{1, size}, label, 2));
  std::vector<Tally::Sum> sums = taken(tally);
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].values[0], 3u);
  EXPECT_EQ(sums[0].values[1], 9u);
  EXPECT_TRUE(tally.add(base::ThreadId(1), base::SourceId(7), std::array<uint64_t, 2>{1, 4}, label, 2));
  sums = taken(tally);
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].values[0], 1u);
  EXPECT_EQ(sums[0].values[1], 4u) << "of those since the sum was taken";
}

TEST(Tally, WhatIsLeftComesWithTheNext) {
  Tally tally;
  add(tally, 1, 10, 5);
  tally.take([](const Tally::Sum&) { return Tally::Taken::kLeft; });
  add(tally, 1, 4, 5);
  const std::vector<Tally::Sum> sums = taken(tally);
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].values[0], 14u);
}

TEST(Tally, ARowOfNobodyIsFreed) {
  Tally tally;
  const uint64_t label = 3;
  add(tally, 1, 10, label);
  Tally::walked(*tally.row(base::ThreadId(1), kSource, {&label, 1}));
  tally.take([](const Tally::Sum&) { return Tally::Taken::kLost; });
  EXPECT_TRUE(taken(tally).empty());
  EXPECT_TRUE(Tally::is_first(*tally.row(base::ThreadId(1), kSource, {&label, 1}))) << "it is a new one";
}

}  // namespace
}  // namespace walkabout::agent
