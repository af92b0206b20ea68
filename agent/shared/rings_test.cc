#include "agent/shared/rings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace walkabout::agent {
namespace {

constexpr uint32_t kRingBytes = 64 << 10;

// Memory of a few slots, which is there or not.
class TestRings final : public Rings {
 public:
  // lanes: whether the second lanes of that many slots are there as well.
  explicit TestRings(uint32_t slots, bool lanes = false)
      : words_((lanes ? wire::lane_offset(slots, wire::Lane::kCallback, kRingBytes)
                      : wire::slot_offset(slots, kRingBytes)) /
               sizeof(uint64_t)),
        memory_(new uint64_t[words_]) {
    if (!lanes) std::fill_n(memory_.get(), words_, ~0ull);
  }
  base::Status begin() { return Rings::begin(reinterpret_cast<uint8_t*>(memory_.get()), kRingBytes, 77); }
  bool there = true;
  int commits = 0;
  std::vector<uint64_t> dropped;  // their offsets

 private:
  base::Status commit(uint64_t offset, uint64_t size) override {
    EXPECT_LE(offset + size, words_ * sizeof(uint64_t));
    ++commits;
    return there ? base::Status() : base::Status::error("no memory");
  }
  void drop(uint64_t offset, uint64_t) override { dropped.push_back(offset); }
  size_t words_;
  std::unique_ptr<uint64_t[]> memory_;
};

TEST(Rings, ABackedSlotIsFresh) {
  TestRings rings(2);
  ASSERT_TRUE(rings.begin().ok());
  EXPECT_EQ(rings.header()->monotonic_start_ns, 77u);
  ASSERT_TRUE(rings.back(1).ok());
  EXPECT_EQ(rings.slot(1)->ring_size, kRingBytes);
  EXPECT_EQ(rings.slot(1)->cpu().samples, 0u);
}

TEST(Rings, ASlotThatWasGivenBackJustNowIsUsedAgainAsItIs) {
  TestRings rings(1);
  ASSERT_TRUE(rings.begin().ok());
  ASSERT_TRUE(rings.back(0).ok());
  rings.slot(0)->cpu().samples = 5;
  rings.give_back(0);
  EXPECT_EQ(rings.slot(0)->ring_size, 0u) << "nobody's";
  const int before = rings.commits;
  ASSERT_TRUE(rings.back(0).ok());
  EXPECT_EQ(rings.commits, before);
  EXPECT_EQ(rings.slot(0)->ring_size, kRingBytes);
  EXPECT_EQ(rings.slot(0)->cpu().samples, 0u);
}

TEST(Rings, OfManyThatAreGivenBackTheMemoryGoes) {
  TestRings rings(100);
  ASSERT_TRUE(rings.begin().ok());
  for (uint32_t slot = 0; slot < 100; ++slot) ASSERT_TRUE(rings.back(slot).ok());
  for (uint32_t slot = 0; slot < 100; ++slot) rings.give_back(slot);
  ASSERT_EQ(rings.dropped.size(), 100 - (4u << 20) / (kRingBytes + wire::kSlotHeaderSize));
  EXPECT_EQ(rings.dropped[0], wire::slot_offset(0, kRingBytes)) << "the last ones stay";
  const int before = rings.commits;
  ASSERT_TRUE(rings.back(0).ok());
  EXPECT_EQ(rings.commits, before + 1);
  ASSERT_TRUE(rings.back(99).ok());
  EXPECT_EQ(rings.commits, before + 1);
}

// Broken by a second lane that exists with its slot.
TEST(Rings, ASecondLaneIsThereOnceItIsRequested) {
  TestRings rings(3, true);
  ASSERT_TRUE(rings.begin().ok());
  ASSERT_TRUE(rings.back(1).ok());
  EXPECT_FALSE(rings.has_callback_lane(1));
  const int before = rings.commits;
  ASSERT_TRUE(rings.back_callback_lane(1).ok());
  EXPECT_TRUE(rings.has_callback_lane(1));
  EXPECT_FALSE(rings.has_callback_lane(0));
  ASSERT_TRUE(rings.back_callback_lane(1).ok());
  EXPECT_EQ(rings.commits, before + 1) << "once";
  rings.give_back(1);
  ASSERT_TRUE(rings.back(1).ok());
  EXPECT_TRUE(rings.has_callback_lane(1)) << "it stays with a slot whose memory stays";
}

TEST(Rings, ASecondLaneGoesWithTheMemoryOfItsSlot) {
  TestRings rings(100, true);
  ASSERT_TRUE(rings.begin().ok());
  for (uint32_t slot = 0; slot < 100; ++slot) {
    ASSERT_TRUE(rings.back(slot).ok());
    ASSERT_TRUE(rings.back_callback_lane(slot).ok());
  }
  for (uint32_t slot = 0; slot < 100; ++slot) rings.give_back(slot);
  ASSERT_EQ(rings.dropped.size(), 2 * (100 - (4u << 20) / (2 * kRingBytes + wire::kSlotHeaderSize)));
  EXPECT_EQ(rings.dropped[0], wire::slot_offset(0, kRingBytes));
  EXPECT_EQ(rings.dropped[1], wire::lane_offset(0, wire::Lane::kCallback, kRingBytes));
  EXPECT_FALSE(rings.has_callback_lane(0));
  EXPECT_TRUE(rings.has_callback_lane(99));
}

TEST(Rings, SecondLanesTakeNoMoreThanHalfOfTheBudget) {
  constexpr uint32_t kMost = wire::kRingBudget / 2 / kRingBytes;
  TestRings rings(kMost + 2, true);
  ASSERT_TRUE(rings.begin().ok());
  uint32_t slot = 0;
  for (; rings.back(slot).ok() && rings.back_callback_lane(slot).ok(); ++slot) {
  }
  EXPECT_LE(slot, kMost);
  EXPECT_LE(uint64_t{slot} * (2 * kRingBytes + wire::kSlotHeaderSize), wire::kRingBudget);
  EXPECT_GT((uint64_t{slot} + 2) * (2 * kRingBytes + wire::kSlotHeaderSize), wire::kRingBudget);
}

TEST(Rings, MemoryThatIsNotThereIsReported) {
  TestRings rings(1);
  rings.there = false;
  EXPECT_EQ(rings.begin().message(), "no memory");
  rings.there = true;
  ASSERT_TRUE(rings.begin().ok());
  rings.there = false;
  EXPECT_EQ(rings.back(0).message(), "no memory");
}

TEST(Rings, TakeNoMoreThanTheirBudget) {
  TestRings rings(1);
  ASSERT_TRUE(rings.begin().ok());
  const auto most = static_cast<uint32_t>(wire::kRingBudget / (wire::kSlotHeaderSize + kRingBytes));
  const base::Status refused = rings.back(most);
  EXPECT_NE(refused.message().find("threads that have one: " + std::to_string(most)), std::string::npos)
      << refused.message();
}

}  // namespace
}  // namespace walkabout::agent
