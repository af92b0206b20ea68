#include "profile/build/placed_sums.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

  // "time bytes objects", one a line; a part of a sum has its count behind it.
  std::string placed(uint64_t span_us = 0) {
    sums_ = place_sums(samples_, 0, span_us, profile_);
    std::string out;
    for (const Sample& sample : samples_) {
      out += std::to_string(sample.time_us) + " " + std::to_string(sample.weight) + " " +
             std::to_string(value_of(profile_, sample, 1));
      if (sample.end == wire::WalkEnd::kNotWalked) out += " of " + std::to_string(sample.count);
      out += "\n";
    }
    return out;
  }

  std::vector<Sample> samples_;
  Profile profile_;
  PlacedSums sums_;

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
    samples_.push_back(sample);
  }
};

TEST_F(PlacedSumsTest, ASumIsSpreadOverWhatWasWalkedSinceTheOneBefore) {
  walked(10, 100, 1);
  sum(20, 50, 5);
  walked(30, 100, 1);
  walked(40, 300, 2);
  sum(50, 1000, 10);
  EXPECT_EQ(placed(),
            "10 100 1\n30 100 1\n40 300 2\n"
            "10 50 5 of 1\n30 250 2 of 1\n40 750 8 of 0\n");
  EXPECT_EQ(sums_.placed, 1050u);
  EXPECT_EQ(sums_.all, 1550u);
}

TEST_F(PlacedSumsTest, NothingIsLostToRounding) {
  for (uint64_t i = 0; i < 7; ++i) walked(i, 3, 1);
  sum(10, 1000, 3);
  placed();
  uint64_t bytes = 0, objects = 0;
  for (const Sample& sample : samples_) {
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
  EXPECT_EQ(placed(), "10 100 1\n10 10 1 of 1\n10 20 1 of 1\n10 40 1 of 1\n");
}

TEST_F(PlacedSumsTest, OtherThreadsAndOtherLabelsAreApart) {
  walked(10, 100, 1, 1, 0);
  walked(11, 100, 1, 2, 0);
  walked(12, 100, 1, 1, 1);
  sum(20, 50, 5, 1, 1);
  sum(21, 7, 7, 3, 0);
  EXPECT_EQ(placed(), "10 100 1\n11 100 1\n12 100 1\n21 7 7 of 1\n12 50 5 of 1\n")
      << "nobody walked labels 3";
  EXPECT_EQ(sums_.placed, 50u);
}

// Samples of a span are one, at the time of the first. Broken by sums that go to what was walked before that.
TEST_F(PlacedSumsTest, WhatWasPutTogetherIsPlacedInItsSpan) {
  walked(100, 10, 1);
  sum(110, 400, 4);
  walked(190, 30, 3);
  walked(200, 1000, 1);
  EXPECT_EQ(placed(100), "100 10 1\n190 30 3\n200 1000 1\n100 100 1 of 1\n190 300 3 of 0\n");
  samples_.resize(3);
  sum(0, 104, 0);
  EXPECT_EQ(placed(~uint64_t{0}),
            "100 10 1\n190 30 3\n200 1000 1\n100 1 0 of 1\n190 3 0 of 0\n200 100 0 of 0\n");
}

// Broken by parts of each sum at each walked sample: a hundred million of them.
TEST_F(PlacedSumsTest, ThereAreNoMorePartsThanWalkedSamples) {
  for (uint64_t i = 0; i < 10'000; ++i) walked(7, 100, 1);
  for (uint64_t i = 0; i < 10'000; ++i) sum(7, 100, 1);
  placed();
  EXPECT_EQ(samples_.size(), 20'000u);
  EXPECT_EQ(samples_[10'000].count, 10'000u);
}

// Broken by shares that are added up in 64 bits: their sum is 0.
TEST_F(PlacedSumsTest, AmountsOfAnySizeArePlaced) {
  for (uint64_t i = 0; i < 4; ++i) walked(i, uint64_t{1} << 62, 1);
  sum(20, uint64_t{1} << 60, uint64_t{1} << 61);
  placed();
  uint64_t bytes = 0;
  for (size_t i = 4; i < samples_.size(); ++i) bytes += samples_[i].weight;
  EXPECT_EQ(samples_.size(), 8u);
  EXPECT_EQ(bytes, uint64_t{1} << 60);
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
