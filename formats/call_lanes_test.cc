#include "formats/call_lanes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walkabout::formats {
namespace {

using ::testing::ElementsAre;

class CallLanes : public ::testing::Test {
 protected:
  void call(uint32_t thread, uint64_t begin, uint64_t wall, uint64_t waiting = 0) {
    profile::SlowCall one;
    one.number = traces_.calls.size() + 1;
    one.thread = one.ended_in = thread;
    one.begin_ns = begin;
    one.wall_ns = wall;
    one.waiting_ns = waiting;
    traces_.calls.push_back(one);
  }
  profile::Traces traces_;
};

TEST_F(CallLanes, AThreadsCallsAreNestedInOne) {
  call(0, 10, 5);
  call(0, 10, 50);
  call(1, 0, 100);
  call(0, 15, 10);
  call(0, 60, 1);
  const std::vector<CallLane> lanes = call_lanes(traces_);
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_THAT(lanes[0].calls, ElementsAre(1u, 0u, 3u, 4u)) << "the longer one first";
  EXPECT_THAT(lanes[1].calls, ElementsAre(2u));
}

TEST_F(CallLanes, AsyncOnesThatOverlapHaveMore) {
  call(0, 0, 100);
  call(0, 10, 80, 5);
  call(0, 20, 90, 5);
  call(0, 95, 10, 5);
  call(0, 30, 20, 5);
  const std::vector<CallLane> lanes = call_lanes(traces_);
  ASSERT_EQ(lanes.size(), 3u);
  EXPECT_FALSE(lanes[0].is_async);
  EXPECT_THAT(lanes[1].calls, ElementsAre(1u, 4u, 3u));
  EXPECT_THAT(lanes[2].calls, ElementsAre(2u));
  EXPECT_TRUE(lanes[2].is_async);
}

TEST_F(CallLanes, AnEndBeyondAllBoundsIsNone) {
  call(0, UINT64_MAX - 1, UINT64_MAX);
  EXPECT_EQ(end_of(traces_.calls[0]), UINT64_MAX);
  EXPECT_EQ(call_lanes(traces_).size(), 1u);
}

}  // namespace
}  // namespace walkabout::formats
