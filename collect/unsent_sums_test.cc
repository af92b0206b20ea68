#include "collect/unsent_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "collect/test_rings.h"
#include "wire/test_values.h"

namespace walkabout::cli {
namespace {

using base::ThreadId;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::SourceId kSource(2), kWall(3);
constexpr uint32_t kSecondIsLargest = 2;

class UnsentSumsTest : public ::testing::Test {
 protected:
  UnsentSumsTest() {
    known_.on_source(wire::testing::two_values_and_a_label(kSource));
    introduce(7);
  }
  void introduce(uint32_t thread) {
    wire::Thread record;
    record.id = ThreadId(thread);
    known_.on_thread(record);
  }
  // The stream has so many more sums of a thread.
  void sums_came(size_t samples, uint32_t thread = 7) {
    wire::Samples record;
    record.thread = ThreadId(thread);
    record.source = kSource;
    record.origin = wire::SampleOrigin::kTally;
    record.time_us.assign(samples, 1);
    known_.on_samples(record);
  }
  // As the spooler writes it down: all of the first value, and what is largest of the second.
  static void emit(wire::SumRow* row, uint32_t index, uint64_t first, uint64_t second) {
    const uint32_t next = 1 - row->newest.load();
    row->emitted[next].index = index;
    row->emitted[next].values[0] = first;
    row->emitted[next].values[1] = second;
    row->newest = next;
  }
  std::vector<std::vector<uint64_t>> values() {
    std::vector<std::vector<uint64_t>> all;
    for (const UnsentSum& sum : unsent_sums(*rings_.sums(), known_).sums) all.push_back(sum.values);
    return all;
  }

  testing::TestRings rings_;
  StreamState known_;
};

TEST_F(UnsentSumsTest, WhatNothingWasEmittedOf) {
  rings_.sum(3, 7, kSource, {10, 2}, {5});
  const UnsentSums all = unsent_sums(*rings_.sums(), known_);
  ASSERT_EQ(all.sums.size(), 1u);
  EXPECT_EQ(all.sums[0].thread, ThreadId(7));
  EXPECT_EQ(all.sums[0].source, kSource);
  EXPECT_THAT(all.sums[0].values, ElementsAre(10, 2));
  EXPECT_THAT(all.sums[0].labels, ElementsAre(5));
}

// Whenever the program was killed: before the sample was written out, or behind that.
TEST_F(UnsentSumsTest, WhatWasAddedSinceTheLastThatCame) {
  wire::SumRow* row = rings_.sum(3, 7, kSource, {10, 2}, {5});
  sums_came(4);  // of other rows
  emit(row, 4, 10, 2);
  EXPECT_THAT(values(), ElementsAre(ElementsAre(10, 2))) << "written down, not written out";
  sums_came(1);
  EXPECT_THAT(values(), IsEmpty());
  row->values[0] = 13;
  row->values[1] = 3;
  EXPECT_THAT(values(), ElementsAre(ElementsAre(3, 1)));
  emit(row, 5, 13, 3);
  EXPECT_THAT(values(), ElementsAre(ElementsAre(3, 1)));
  row->values[0] = 14;
  EXPECT_THAT(values(), ElementsAre(ElementsAre(4, 1)));
  sums_came(1);
  EXPECT_THAT(values(), ElementsAre(ElementsAre(1, 0)));
}

TEST_F(UnsentSumsTest, OfSomeValuesTheLargest) {
  wire::SumRow* row = rings_.sum(3, 7, kSource, {10, 90}, {5});
  row->largest = kSecondIsLargest;
  emit(row, 0, 10, 90);
  row->values[1] = 0;
  EXPECT_THAT(values(), ElementsAre(ElementsAre(10, 90)));
  row->values[0] = 11;
  row->values[1] = 20;
  EXPECT_THAT(values(), ElementsAre(ElementsAre(11, 90)));
  sums_came(1);
  EXPECT_THAT(values(), ElementsAre(ElementsAre(1, 20)));
}

// As the sizes of the heap, of which the last ones count.
TEST_F(UnsentSumsTest, ValuesOfWhichTheLargestCountsAlone) {
  wire::SumRow* row = rings_.sum(3, 7, kSource, {0, 90}, {5});
  row->largest = kSecondIsLargest;
  EXPECT_THAT(values(), ElementsAre(ElementsAre(0, 90)));
  emit(row, 0, 0, 90);
  row->values[1] = 0;
  EXPECT_THAT(values(), ElementsAre(ElementsAre(0, 90))) << "killed before it was written out";
  sums_came(1);
  EXPECT_THAT(values(), IsEmpty());
}

TEST_F(UnsentSumsTest, AThreadThatTheStreamHasNotHeardOf) {
  introduce(12);
  rings_.sum(4, 10, kSource, {1, 1}, {5});
  EXPECT_THAT(values(), ElementsAre(ElementsAre(1, 1))) << "though it has heard of a later one";
}

// Broken by counts that a recording without a sum of the thread does not hand on.
TEST_F(UnsentSumsTest, AThreadGoesOnThroughRecordings) {
  wire::SumRow* row = rings_.sum(3, 7, kSource, {10, 2}, {5});
  sums_came(1);
  emit(row, 0, 10, 2);
  row->values[0] = 15;
  for (int recording = 0; recording < 3; ++recording) {
    known_.on_session({});
    known_.on_source(wire::testing::two_values_and_a_label(kSource));
    EXPECT_THAT(values(), ElementsAre(ElementsAre(5, 0))) << "it has not introduced the thread yet";
    introduce(7);
    EXPECT_THAT(values(), ElementsAre(ElementsAre(5, 0)));
  }
  emit(row, 1, 15, 2);
  sums_came(1);
  EXPECT_THAT(values(), IsEmpty());
}

TEST_F(UnsentSumsTest, WhatMakesNoSense) {
  rings_.sum(0, 7, base::SourceId(5), {1, 1}, {1});   // is not on
  rings_.sum(1, 7, base::SourceId(99), {1, 1}, {1});  // cannot be
  rings_.sum(2, 0, kSource, {1, 1}, {1});             // nobody's
  rings_.sum(3, 7, kSource, {1, ~uint64_t{0}}, {1});
  rings_.sum(5, 7, kWall, {1, 1}, {1});  // has no sums
  wire::SumRow* row = rings_.sum(4, 7, kSource, {5, 1}, {1});
  row->newest = 77;
  row->emitted[1].values[0] = 6;  // more than there is
  sums_came(1);
  wire::Source wall = wire::testing::two_values_and_a_label(kWall);
  wall.clock = static_cast<uint32_t>(wire::Clock::kWall);
  known_.on_source(wall);
  const UnsentSums all = unsent_sums(*rings_.sums(), known_);
  EXPECT_THAT(all.sums, IsEmpty());
  EXPECT_EQ(all.damaged[kWall.value - 1], 1u);
  EXPECT_EQ(all.damaged[kSource.value - 1], 3u);
}

}  // namespace
}  // namespace walkabout::cli
