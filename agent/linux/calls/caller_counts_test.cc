#include "agent/linux/calls/caller_counts.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "agent/linux/calls/call_counters.h"
#include "agent/linux/descriptor_host.h"
#include "agent/linux/handler/handler.h"
#include "agent/linux/ring_memory.h"
#include "unwind/pe/pe_test_info.h"

namespace walkabout::agent {
namespace {

// In place of jitted methods: with a frame pointer, and each in 256 bytes of its own.
#define WALKABOUT_TEST_METHOD [[gnu::noinline, gnu::aligned(256)]]
WALKABOUT_TEST_METHOD void first_counted() {
  walkabout_count_call_by_caller(0);
  asm volatile("" ::: "memory");  // no tail call
}
WALKABOUT_TEST_METHOD void second_counted() {
  walkabout_count_call_by_caller(2);
  asm volatile("nop" ::: "memory");
}
WALKABOUT_TEST_METHOD void unknown_counted() {
  walkabout_count_call_by_caller(3);
  asm volatile("nop\n\tnop" ::: "memory");
}
WALKABOUT_TEST_METHOD void one_caller() {
  first_counted();
  second_counted();
  asm volatile("" ::: "memory");
}
WALKABOUT_TEST_METHOD void another_caller() {
  second_counted();
  asm volatile("" ::: "memory");
}

constexpr uint32_t kOneCode = 12, kAnotherCode = 13;
using CallsByCode = std::map<std::pair<uint64_t, uint32_t>, uint64_t>;  // by method and code of the caller

struct CallerCountsTest : ::testing::Test, CallerCounts::Declare {
  CallerCountsTest() {
    EXPECT_TRUE(rings.map(64 << 10, 0).ok());
    EXPECT_TRUE(counters.begin().ok());
    EXPECT_TRUE(counters.make_room(4).ok());
    publish(reinterpret_cast<uint64_t>(&first_counted), 10);
    publish(reinterpret_cast<uint64_t>(&second_counted), 11);
    publish(reinterpret_cast<uint64_t>(&one_caller), kOneCode);
    counts.begin({&images, &jitted, nullptr, &generation});
  }
  ~CallerCountsTest() override { counts.end(); }

  // As the runtime describes such a method.
  void publish(uint64_t begin, uint32_t code) {
    namespace pe = unwind::testing;
    infos.push_back(
        pe::pe_info({.prolog = 4, .frame = pe::kPeRbp}, {pe::pe_set_frame(4), pe::pe_push(1, pe::kPeRbp)}));
    unwind::JitRegion region;
    region.begin = region.method_start = begin;
    region.size = 256;
    region.code = code;
    region.unwind = infos.back().data();
    region.unwind_size = static_cast<uint32_t>(infos.back().size());
    if (jitted.publish(region)) generation.fetch_add(1);
  }
  wire::Frame declare(wire::Frame caller) override { return declares ? caller : wire::Frame(); }
  CallsByCode take() {
    CallsByCode calls;
    const std::optional<wire::CallerCounts> taken = counts.take(1, *this);
    for (size_t i = 0; taken && i < taken->index.size(); ++i)
      calls[{taken->index[i], taken->caller[i].code().value}] += taken->calls[i];
    if (taken) not_found += taken->not_found;
    return calls;
  }

  DescriptorHost host;
  RingMemory rings{host};
  CallCounters counters{rings};
  unwind::JitMap jitted{tick_gate()};
  unwind::ImageMap images{tick_gate()};
  std::atomic<uint32_t> generation{1};
  std::deque<std::vector<uint8_t>> infos;
  CallerCounts counts;
  bool declares = true;
  uint64_t not_found = 0;
};

TEST_F(CallerCountsTest, OfAllThreadsCallsAreCountedByMethodAndCaller) {
  publish(reinterpret_cast<uint64_t>(&another_caller), kAnotherCode);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 100; ++round) {
        one_caller(), another_caller();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const CallsByCode expected = {{{0, kOneCode}, 300}, {{2, kOneCode}, 300}, {{2, kAnotherCode}, 300}};
  EXPECT_EQ(take(), expected);
  EXPECT_EQ(counters.sums()[2], 600u);
  EXPECT_EQ(not_found, 0u);
  EXPECT_TRUE(take().empty());
}

TEST_F(CallerCountsTest, CodeThatIsReplacedIsAnotherCaller) {
  std::thread([this] {
    one_caller(), one_caller();
    publish(reinterpret_cast<uint64_t>(&one_caller), kAnotherCode);
    one_caller();
  }).join();
  const CallsByCode expected = {
      {{0, kOneCode}, 2}, {{2, kOneCode}, 2}, {{0, kAnotherCode}, 1}, {{2, kAnotherCode}, 1}};
  EXPECT_EQ(take(), expected);
}

// A caller that nobody knows is code without a name, as a stub is; of a method nobody knows none is found.
TEST_F(CallerCountsTest, WhereNothingIsKnownOfTheMethodItsCallerIsNotFoundAndTheCallIsCounted) {
  std::thread(unknown_counted).join();
  EXPECT_TRUE(take().empty());
  EXPECT_EQ(not_found, 1u);
  EXPECT_EQ(counters.sums()[3], 1u);
}

TEST_F(CallerCountsTest, WhatIsNotDeclaredYetIsOfferedAgain) {
  std::thread(one_caller).join();
  declares = false;
  EXPECT_TRUE(take().empty());
  declares = true;
  EXPECT_EQ(take(), (CallsByCode{{{0, kOneCode}, 1}, {{2, kOneCode}, 1}}));
}

TEST_F(CallerCountsTest, TheFirstRecordComesWithoutACallAndNoneBehindTheEnd) {
  EXPECT_TRUE(counts.take(1, *this).has_value());
  EXPECT_FALSE(counts.take(2, *this).has_value());
  counts.end();
  std::thread(one_caller).join();
  EXPECT_FALSE(counts.take(3, *this).has_value());
  EXPECT_EQ(counters.sums()[0], 1u);
}

}  // namespace
}  // namespace walkabout::agent
