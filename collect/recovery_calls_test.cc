// Calls that were counted and not emitted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "collect/test_recovery.h"
#include "wire/counter_blocks.h"

namespace walkabout::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TestRings;

struct CountedCalls : testing::RecoveryFixture {
  CountedCalls() {
    std::string stream;
    wire::encode(wire::CallPattern{0, "Orders.*", 3, ""}, stream);
    for (uint32_t i = 0; i < 3; ++i) wire::encode(wire::CountedMethod{.index = i, .method = "M"}, stream);
    wire::encode(wire::CallCounts{1'000, {0, 1}, {10, 4}}, stream);
    EXPECT_TRUE(store(stream).ok());
  }
  void block(uint32_t number, const std::vector<uint64_t>& calls_of) {
    const auto size = static_cast<ssize_t>(calls_of.size() * sizeof(uint64_t));
    EXPECT_EQ(::pwrite(rings_.fd(), calls_of.data(), static_cast<size_t>(size),
                       static_cast<off_t>(wire::counter_block_offset(number, TestRings::kRing))),
              size);
  }
  void say(uint32_t blocks, uint32_t methods) {
    rings_.header()->counter_blocks = blocks;
    rings_.header()->counters = methods;
  }
};

TEST_F(CountedCalls, WhatTheStreamDoesNotHaveComesFromAllBlocks) {
  block(0, {1, 0, 0});
  block(1, {10, 4, 5});
  say(2, 3);
  ASSERT_TRUE(recover().ok());
  EXPECT_THAT(calls.calls(), ElementsAre(11, 4, 5));
  EXPECT_THAT(message_, HasSubstr("the last 6 calls came from the program's memory"));
}

TEST_F(CountedCalls, WhereNothingIsMissingNothingIsSaid) {
  block(0, {10, 4, 0});
  say(1, 3);
  ASSERT_TRUE(recover().ok());
  EXPECT_THAT(calls.calls(), ElementsAre(10, 4, 0));
  EXPECT_EQ(message_, "");
}

TEST_F(CountedCalls, ABlockMayHaveFewerCountersThanOthers) {
  block(0, {1, 0, 0});
  block(1, {10, 4, 5});  // the file ends here
  say(2, 1000);
  ASSERT_TRUE(recover().ok());
  EXPECT_THAT(calls.calls(), ElementsAre(11, 4, 5));
}

TEST_F(CountedCalls, MemoryThatMakesNoSenseTakesNothingAway) {
  block(0, {3, UINT64_MAX, 7});
  say(UINT32_MAX, UINT32_MAX);
  ASSERT_TRUE(recover().ok());
  EXPECT_EQ(calls.calls()[0], 10u);
  EXPECT_EQ(calls.calls()[1], 4u);
}

}  // namespace
}  // namespace walkabout::cli
