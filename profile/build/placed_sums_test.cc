#include "profile/build/placed_sums.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace walkabout::profile {
namespace {

class PlacedSumsTest : public ::testing::Test {
 protected:
  PlacedSumsTest() {
    wire::Source source;
    source.values = {{"allocated", "bytes", wire::Adding::kSum}, {"objects", "count", wire::Adding::kSum}};
    source.period = 102'400;
    source.clock = static_cast<uint32_t>(wire::Clock::kEvent);
    profile_.sources = {source};
  }

  void walked(uint64_t time_us, uint64_t bytes, uint64_t objects, uint32_t labels = 1, uint32_t thread = 0) {
    add(time_us, bytes, objects, labels, thread, wire::WalkEnd::kRooted);
  }
  void sum(uint64_t time_us, uint64_t bytes, uint64_t objects, uint32_t labels = 1, uint32_t thread = 0) {
    add(time_us, bytes, objects, labels, thread, wire::WalkEnd::kNotWalked);
  }

  // "time bytes objects", one a line.
  std::string placed() {
    const PlacedSums sums = place_sums(profile_, 0);
    placed_ = sums.placed;
    all_ = sums.all;
    std::string out;
    for (const Sample& sample : profile_.samples)
      out += std::to_string(sample.time_us) + " " + std::to_string(sample.weight) + " " +
             std::to_string(value_of(profile_, sample, 1)) +
             (sample.end == wire::WalkEnd::kNotWalked ? " sum\n" : "\n");
    return out;
  }

  Profile profile_;
  uint64_t placed_ = 0, all_ = 0;

 private:
  void add(uint64_t time_us, uint64_t bytes, uint64_t objects, uint32_t labels, uint32_t thread,
           wire::WalkEnd end) {
    Sample sample;
    sample.time_us = time_us;
    sample.weight = bytes;
    sample.thread = thread;
    sample.end = end;
    sample.labels = labels;
    sample.more = static_cast<uint32_t>(profile_.more_values.size());
    profile_.more_values.push_back(objects);
    profile_.samples.push_back(sample);
  }
};

TEST_F(PlacedSumsTest, ASumIsSpreadOverWhatWasWalkedSinceTheOneBefore) {
  walked(10, 100, 1);
  sum(20, 50, 5);
  walked(30, 100, 1);
  walked(40, 300, 2);
  sum(50, 1000, 10);
  EXPECT_EQ(placed(), "10 150 6\n30 350 3\n40 1050 10\n");
  EXPECT_EQ(placed_, 1050u);
  EXPECT_EQ(all_, 1550u);
}

TEST_F(PlacedSumsTest, NothingIsLostToRounding) {
  for (uint64_t i = 0; i < 7; ++i) walked(i, 3, 1);
  sum(10, 1000, 3);
  placed();
  uint64_t bytes = 0, objects = 0;
  for (const Sample& sample : profile_.samples) {
    bytes += sample.weight;
    objects += value_of(profile_, sample, 1);
  }
  EXPECT_EQ(bytes, 1021u);
  EXPECT_EQ(objects, 10u);
}

TEST_F(PlacedSumsTest, WithoutAWalkSinceTheLastSumTheNearestStackHasIt) {
  sum(5, 10, 1);
  walked(10, 100, 1);
  sum(20, 20, 1);
  sum(30, 40, 1);
  EXPECT_EQ(placed(), "10 170 4\n");
}

TEST_F(PlacedSumsTest, OtherThreadsAndOtherLabelsAreApart) {
  walked(10, 100, 1, 1, 0);
  walked(11, 100, 1, 2, 0);
  walked(12, 100, 1, 1, 1);
  sum(20, 50, 5, 1, 1);
  sum(20, 7, 7, 3, 0);
  EXPECT_EQ(placed(), "10 100 1\n11 100 1\n12 150 6\n20 7 7 sum\n") << "nobody walked labels 3";
  EXPECT_EQ(placed_, 50u);
}

TEST_F(PlacedSumsTest, AmountsOfAnySizeArePlaced) {
  walked(10, uint64_t{1} << 60, 1);
  walked(11, 0, 0);
  sum(20, uint64_t{1} << 61, uint64_t{1} << 62);
  placed();
  EXPECT_EQ(profile_.samples[0].weight + profile_.samples[1].weight, uint64_t{3} << 60);
}

TEST_F(PlacedSumsTest, EventsThatAreCountedOneByOneAreNotPlaced) {
  EXPECT_TRUE(places_sums(profile_.sources[0]));
  profile_.sources[0].period = 0;
  EXPECT_FALSE(places_sums(profile_.sources[0]));
  profile_.sources[0].period = 50'000'000;
  profile_.sources[0].clock = static_cast<uint32_t>(wire::Clock::kWall);
  EXPECT_FALSE(places_sums(profile_.sources[0]));
}

}  // namespace
}  // namespace walkabout::profile
