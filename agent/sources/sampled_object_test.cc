#include "agent/sources/sampled_object.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace walkabout::agent {
namespace {

TEST(SampledObject, ASampleStandsForOneOverItsProbability) {
  for (const uint64_t size : {24u, 100u, 4'096u, 85'000u, 102'400u, 1'000'000u, 100'000'000u}) {
    const double probability = -std::expm1(-static_cast<double>(size) / 102'400);
    EXPECT_NEAR(objects_of_a_sample(size) * probability, 1, 1e-9) << size;
  }
}

TEST(SampledObject, RoundingIsRightOnAverage) {
  std::mt19937_64 random(7);
  uint64_t sum = 0;
  constexpr int kTimes = 100'000;
  for (int i = 0; i < kTimes; ++i) {
    const uint64_t one = rounded(1.582, random());
    EXPECT_TRUE(one == 1 || one == 2);
    sum += one;
  }
  EXPECT_NEAR(static_cast<double>(sum) / kTimes, 1.582, 0.01);
  EXPECT_EQ(rounded(3, UINT64_MAX), 3u);
}

TEST(SampledObject, TheRuntimeIsAskedForWhatItHas) {
  EXPECT_EQ(needs_of_sampled_objects(10).keywords, 0x80'000'000'000u);
  EXPECT_EQ(needs_of_sampled_objects(9).keywords, 1u) << "with the keyword of .NET 10 nothing would come";
}

}  // namespace
}  // namespace walkabout::agent
