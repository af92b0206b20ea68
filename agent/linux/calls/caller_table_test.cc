#include "agent/linux/calls/caller_table.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace walkabout::agent {
namespace {

using wire::Frame;
using Pairs = std::map<std::pair<uint32_t, uint64_t>, uint64_t>;

Frame call_at(uint32_t offset) { return Frame::in_code(wire::FrameKind::kJitted, base::CodeId(7), offset); }

bool count_in(CallerTable& table, uint32_t method, Frame caller) {
  const uint32_t pair = table.pair_of(method, caller);
  if (pair != CallerTable::kNoRoom) table.count(pair);
  return pair != CallerTable::kNoRoom;
}

void take_all(CallerTable& table, Pairs* pairs) {
  table.take([pairs](uint32_t method, Frame caller, uint64_t calls) {
    (*pairs)[{method, caller.bits}] += calls;
    return true;
  });
}

TEST(CallerTable, CountsEachPairOfMethodAndCaller) {
  const auto table = std::make_unique<CallerTable>();
  for (const uint32_t method : {0u, 0u, 1u}) EXPECT_TRUE(count_in(*table, method, call_at(16)));
  EXPECT_TRUE(count_in(*table, 0, call_at(32)));
  Pairs pairs;
  take_all(*table, &pairs);
  const Pairs expected = {{{0, call_at(16).bits}, 2}, {{0, call_at(32).bits}, 1}, {{1, call_at(16).bits}, 1}};
  EXPECT_EQ(pairs, expected);
}

TEST(CallerTable, CallsAreTakenOnceAndWhatIsLeftIsOfferedAgain) {
  const auto table = std::make_unique<CallerTable>();
  count_in(*table, 3, call_at(16));
  std::vector<uint64_t> offered;
  bool takes = false;
  const auto each = [&](uint32_t, Frame, uint64_t calls) {
    offered.push_back(calls);
    return takes;
  };
  table->take(each);
  count_in(*table, 3, call_at(16));
  takes = true;
  table->take(each);
  table->take(each);
  count_in(*table, 3, call_at(16));
  table->take(each);
  EXPECT_EQ(offered, (std::vector<uint64_t>{1, 2, 1}));
}

// While another one reads.
TEST(CallerTable, NoCallOfManyThreadsIsLostOrCountedTwice) {
  constexpr uint32_t kAdders = 4, kCallsOfEach = 20'000, kPlaces = 500;
  const auto table = std::make_unique<CallerTable>();
  std::vector<std::thread> threads;
  std::atomic<uint32_t> running{kAdders};
  for (uint32_t t = 0; t < kAdders; ++t) {
    threads.emplace_back([&] {
      for (uint32_t i = 0; i < kCallsOfEach; ++i) count_in(*table, i % 3, call_at(i % kPlaces));
      running.fetch_sub(1);
    });
  }
  Pairs pairs;
  while (running.load() != 0) take_all(*table, &pairs);
  for (std::thread& thread : threads) thread.join();
  take_all(*table, &pairs);
  EXPECT_EQ(pairs.size(), size_t{3} * kPlaces);
  Pairs expected;
  for (uint32_t i = 0; i < kCallsOfEach; ++i) expected[{i % 3, call_at(i % kPlaces).bits}] += kAdders;
  EXPECT_EQ(pairs, expected);
}

TEST(CallerTable, WhatFindsNoRoomIsToldAndTheOthersCountOn) {
  const auto table = std::make_unique<CallerTable>();
  uint64_t refused = 0;
  for (uint32_t i = 0; i < 2 * CallerTable::kMostCallers; ++i)
    refused += count_in(*table, 0, call_at(i)) ? 0 : 1;
  EXPECT_GE(refused, uint64_t{CallerTable::kMostCallers});
  EXPECT_TRUE(count_in(*table, 0, call_at(0)));
  Pairs pairs;
  take_all(*table, &pairs);
  EXPECT_EQ(pairs.size(), 2 * CallerTable::kMostCallers - refused);
  EXPECT_EQ((pairs[{0, call_at(0).bits}]), 2u);
}

}  // namespace
}  // namespace walkabout::agent
