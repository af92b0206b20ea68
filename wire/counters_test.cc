#include "wire/counters.h"

#include <gtest/gtest.h>

namespace walkabout::wire {
namespace {

constexpr base::SourceId kWall(2);

TEST(Counters, OfEachSource) {
  Counters counters;
  counters.attempts = 5;
  counters.samples = 3;
  counters.drops = {2};
  entry_of(counters, kWall).attempts = 7;
  EXPECT_EQ(counters_of(counters, kCpuSource).attempts, 5u);
  EXPECT_EQ(counters_of(counters, kCpuSource).drops, std::vector<uint64_t>{2});
  EXPECT_EQ(counters_of(counters, kWall).attempts, 7u);
  EXPECT_EQ(counters_of(counters, base::SourceId(3)).attempts, 0u);
  EXPECT_EQ(&entry_of(counters, kWall), &entry_of(counters, kWall)) << "made once";
}

TEST(Counters, DropsOfDifferentLengthsAddUp) {
  std::vector<uint64_t> drops{1};
  add_drops({1, 2}, &drops);
  add_drops({4}, &drops);
  EXPECT_EQ(drops, (std::vector<uint64_t>{6, 2}));
  EXPECT_EQ(sum_of_drops(drops), 8u);
}

}  // namespace
}  // namespace walkabout::wire
