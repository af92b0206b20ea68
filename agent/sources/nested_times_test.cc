#include "agent/sources/nested_times.h"

#include <gtest/gtest.h>

#include <memory>

namespace walkabout::agent {
namespace {

// As PagedArray gives it.
std::unique_ptr<NestedTimes> zeroes() { return std::make_unique<NestedTimes>(); }

TEST(NestedTimes, WhatBeganWithinItIsNotItsOwn) {
  const auto times = zeroes();
  times->begin(1, 100, 11);
  times->begin(2, 130, 22);
  times->begin(3, 140, 33);
  EXPECT_EQ(times->end(3, 145)->own_ns, 5u);
  const auto second = times->end(2, 150);
  EXPECT_EQ(second->own_ns, 15u);
  EXPECT_EQ(second->note, 22u);
  EXPECT_EQ(times->end(1, 200)->own_ns, 80u);
}

TEST(NestedTimes, AnEndWithoutABeginIsNone) {
  const auto times = zeroes();
  EXPECT_FALSE(times->end(1, 100));
  times->begin(1, 100);
  EXPECT_FALSE(times->end(2, 110));
  EXPECT_EQ(times->end(1, 120)->own_ns, 20u);
}

TEST(NestedTimes, WhatHasNoEndDoesNotStayOpen) {
  const auto times = zeroes();
  for (uint64_t i = 0; i < 1000; ++i) {
    times->begin(1, 100 * i);
    times->begin(2, 100 * i + 10);  // fails
    EXPECT_EQ(times->end(1, 100 * i + 50)->own_ns, 50u);
  }
}

// Broken by a thread that counts nothing any more after some failures.
TEST(NestedTimes, WhatFailsAtTheOutermostLevelDoesNotStay) {
  const auto times = zeroes();
  for (uint64_t i = 0; i < 100; ++i) times->begin(i, i);
  times->begin(1000, 200);
  EXPECT_EQ(times->end(1000, 230)->own_ns, 30u);
  times->clear();
  EXPECT_FALSE(times->end(99, 300));
}

TEST(NestedTimes, TheOutermostOfTooManyIsNotTimed) {
  const auto times = zeroes();
  for (uint64_t i = 0; i < 40; ++i) times->begin(i, i);
  for (uint64_t i = 40; i-- > 24;) EXPECT_TRUE(times->end(i, 100)) << i;
  for (uint64_t i = 24; i-- > 0;) EXPECT_FALSE(times->end(i, 100)) << i;
}

}  // namespace
}  // namespace walkabout::agent
