#include "agent/linux/calls/call_counters.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "agent/linux/calls/counted_call.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kTestRing = 64 << 10;
constexpr int kCalls = 1000;

void call_often(uint64_t method) {
  for (int i = 0; i < kCalls; ++i) walkabout_count_call(method);
}

struct CallCountersTest : ::testing::Test {
  CallCountersTest() {
    EXPECT_TRUE(rings.map(kTestRing, 0).ok());
    EXPECT_TRUE(counters.begin().ok());
    EXPECT_TRUE(counters.make_room(3).ok());
  }
  DescriptorHost host;
  RingMemory rings{host};
  CallCounters counters{rings};
};

TEST_F(CallCountersTest, CallsOfAllThreadsAddUpAlsoOfThoseThatHaveEnded) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    threads.reserve(20);
    for (int i = 0; i < 20; ++i) threads.emplace_back(call_often, 1);
    for (std::thread& thread : threads) thread.join();
    counters.keep_spare();
  }
  std::thread(call_often, 2).join();
  const std::vector<uint64_t> sums = counters.sums();
  EXPECT_EQ(sums[0], 0u);
  EXPECT_EQ(sums[1], 60u * kCalls);
  EXPECT_EQ(sums[2], uint64_t{kCalls});
}

TEST_F(CallCountersTest, RoomGrowsWhileThreadsCount) {
  std::thread([this] {
    call_often(2);
    ASSERT_TRUE(counters.make_room(10'000).ok());
    call_often(9'999);
  }).join();
  EXPECT_EQ(counters.sums()[2], uint64_t{kCalls});
  EXPECT_EQ(counters.sums()[9'999], uint64_t{kCalls});
  EXPECT_FALSE(counters.make_room(wire::kMostCountedMethods + 1).ok());
}

TEST_F(CallCountersTest, BehindTheEndACallIsOfNoConsequence) {
  call_often(1);  // this thread keeps its block
  counters.end();
  call_often(1);
  EXPECT_TRUE(counters.sums().empty());
  RingMemory next(host);
  ASSERT_TRUE(next.map(kTestRing, 0).ok());
  CallCounters again(next);
  ASSERT_TRUE(again.begin().ok());
  ASSERT_TRUE(again.make_room(3).ok());
  EXPECT_EQ(again.sums()[1], 0u);
  call_often(1);
  EXPECT_EQ(again.sums()[1], uint64_t{kCalls});
}

}  // namespace
}  // namespace walkabout::agent
