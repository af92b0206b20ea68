#include "agent/linux/cover/test_flow.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "agent/linux/cover/counts_file.h"

namespace walkabout::agent {
namespace {

constexpr uint16_t kTypeRank = 1, kFixtureRank = 2, kTestRank = 3;

// One file in the process: the pages are the process's.
class TestFlowTest : public ::testing::Test {
 protected:
  struct Shared {
    Shared() {
      std::string folder = ::testing::TempDir() + "flows-XXXXXX";
      made = ::mkdtemp(folder.data()) != nullptr && counts.create(folder, 1, true).ok();
      module = counts.add_module("/app/tests.dll", {}, 1, wire::CoverKind::kTestModule);
      counts.add_method(module, 0x06000001, 0, 8);
    }
    DescriptorHost host;
    CountsFile counts{host};
    bool made = false;
    uint32_t module = 0;
  };
  static Shared& shared() {
    static auto* const one = new Shared();
    return *one;
  }
  static wire::CoverTest& add(uint16_t rank, uint16_t lane = 0) {
    static uint32_t token = 0x06000000;
    return *shared().counts.add_test(shared().module, ++token, lane, rank);
  }
  static int64_t value(wire::CoverTest& test) { return reinterpret_cast<int64_t>(&test); }
  static bool ran(const wire::CoverTest& test, uint64_t probe) {
    const uint32_t page = test.pages[probe / wire::kCoverPageProbes];
    return page != 0 &&
           (test_pages().memory()[page + probe % wire::kCoverPageProbes / 8] >> probe % 8 & 1) != 0;
  }
  void SetUp() override { ASSERT_TRUE(shared().made); }
  void TearDown() override {
    for (uint16_t lane = 0; lane < kTestLanes; ++lane) walkabout_cover_flow(lane, 0);
    set_unknown_flow(nullptr);
  }
};

TEST_F(TestFlowTest, AProbeIsOfTheThreadsTest) {
  wire::CoverTest &one = add(kTestRank), &other = add(kTestRank), &unknown = add(0);
  set_unknown_flow(&unknown);
  walkabout_cover_flow(0, value(one));
  walkabout_cover_reach(5);
  std::thread([&] {
    walkabout_cover_reach(6);
    walkabout_cover_flow(0, value(other));
    walkabout_cover_reach(wire::kCoverPageProbes + 7);
  }).join();
  EXPECT_TRUE(ran(one, 5));
  EXPECT_FALSE(ran(one, 6));
  EXPECT_TRUE(ran(unknown, 6));
  EXPECT_TRUE(ran(other, wire::kCoverPageProbes + 7));
  EXPECT_FALSE(ran(other, 7));
}

TEST_F(TestFlowTest, WhatSaysMoreIsEntered) {
  wire::CoverTest &type = add(kTypeRank), &fixture = add(kFixtureRank), &test = add(kTestRank);
  EXPECT_EQ(walkabout_cover_enter(value(type)), 0);
  walkabout_cover_flow(0, value(type));
  EXPECT_EQ(walkabout_cover_enter(value(type)), -1);
  EXPECT_EQ(walkabout_cover_enter(value(fixture)), value(type)) << "what it is left with";
  walkabout_cover_flow(0, value(fixture));
  EXPECT_EQ(walkabout_cover_enter(value(test)), value(fixture));
  walkabout_cover_flow(0, value(test));
  EXPECT_EQ(walkabout_cover_enter(value(fixture)), -1);
  EXPECT_EQ(walkabout_cover_enter(value(add(kTestRank))), -1) << "a test that calls another";
}

TEST_F(TestFlowTest, EachAssemblyHasALaneOfItsOwn) {
  wire::CoverTest &test = add(kTestRank, 0), &type = add(kTypeRank, 1);
  walkabout_cover_flow(1, value(type));
  walkabout_cover_flow(0, value(test));
  walkabout_cover_reach(1);
  walkabout_cover_flow(0, 0);
  walkabout_cover_reach(2);
  EXPECT_TRUE(ran(test, 1));
  EXPECT_FALSE(ran(type, 1));
  EXPECT_TRUE(ran(type, 2)) << "the other lane's again";
}

TEST_F(TestFlowTest, WhatHasNoRoomIsCounted) {
  wire::CoverTest& test = add(kTestRank);
  walkabout_cover_flow(0, value(test));
  walkabout_cover_reach(uint64_t{wire::kCoverTestPages} * wire::kCoverPageProbes);
  EXPECT_EQ(test.lost, 1u);
}

TEST_F(TestFlowTest, ThreadsOfOneTestShareItsPages) {
  wire::CoverTest& test = add(kTestRank);
  constexpr uint64_t kProbes = 3 * wire::kCoverPageProbes;
  std::vector<std::thread> threads;
  for (uint64_t first = 0; first < 4; ++first)
    threads.emplace_back([&test, first] {
      walkabout_cover_flow(0, value(test));
      for (uint64_t probe = first; probe < kProbes; probe += 4) walkabout_cover_reach(probe);
    });
  for (std::thread& thread : threads) thread.join();
  uint64_t all = 0;
  for (uint64_t probe = 0; probe < kProbes; ++probe) all += ran(test, probe);
  EXPECT_EQ(all, kProbes);
}

TEST(TestPages, AreTakenOnceUntilNoneIsLeft) {
  static TestPages pages;
  EXPECT_EQ(pages.take(), 0u);
  pages.add(nullptr, 64);
  EXPECT_EQ(pages.left(), TestPages::kPiece);
  EXPECT_EQ(pages.take(), 64u);
  EXPECT_EQ(pages.take(), 64u + TestPages::kPageBytes);
  while (pages.left() > 0) pages.take();
  EXPECT_EQ(pages.take(), 0u);
}

}  // namespace
}  // namespace walkabout::agent
