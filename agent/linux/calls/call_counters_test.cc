#include "agent/linux/calls/call_counters.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
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

uint64_t memory_bytes(int fd) {
  struct stat status {};
  EXPECT_EQ(::fstat(fd, &status), 0);
  return static_cast<uint64_t>(status.st_blocks) * 512;
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

TEST_F(CallCountersTest, BeyondSoMuchMemoryThreadsShareABlock) {
  ASSERT_TRUE(counters.make_room(wire::kMostCountedMethods).ok());
  std::vector<std::thread> threads;
  std::atomic<bool> over{false};
  std::atomic<uint32_t> began{0};
  for (uint32_t i = 0; i < 60; ++i) {
    threads.emplace_back([&] {
      call_often(wire::kMostCountedMethods - 1);
      for (++began; !over.load();) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      call_often(wire::kMostCountedMethods - 1);
    });
    while (began.load() <= i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    counters.keep_spare();
  }
  EXPECT_LE(memory_bytes(rings.fd()), CallCounters::kMostBytes + wire::mapping_size(kTestRing));
  over.store(true);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counters.sums().back(), 120u * kCalls);
}

TEST_F(CallCountersTest, BlocksOfAnEarlierRecordingThatNobodyHasAreLeftOutWhereTheyAreTooMany) {
  std::vector<std::thread> threads;
  std::atomic<bool> over{false};
  std::atomic<uint32_t> began{0};
  for (uint32_t i = 0; i < 60; ++i) {
    threads.emplace_back([&] {
      call_often(1);
      for (++began; !over.load();) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    while (began.load() <= i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    counters.keep_spare();
  }
  over.store(true);
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(counters.make_room(wire::kMostCountedMethods).ok());
  EXPECT_EQ(counters.sums()[1], 60u * kCalls);
  EXPECT_LE(memory_bytes(rings.fd()), CallCounters::kMostBytes + wire::mapping_size(kTestRing));
  counters.end();
  RingMemory next(host);
  ASSERT_TRUE(next.map(kTestRing, 0).ok());
  CallCounters again(next);
  ASSERT_TRUE(again.begin().ok());
  ASSERT_TRUE(again.make_room(3).ok());  // what was withheld is there again
  threads.clear();
  for (int i = 0; i < 60; ++i) threads.emplace_back(call_often, 2);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(again.sums()[2], 60u * kCalls);
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
