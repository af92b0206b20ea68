#include "unwind/async/heap_regions.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "unwind/async/heap_reader.h"

namespace walkabout::unwind {
namespace {

constexpr uint64_t kPage = HeapRegions::kPage;

struct Regions : ::testing::Test {
  std::array<HeapRegion, 4> room;
  HeapRegions regions{room};
};

TEST_F(Regions, AnAddressIsFoundInItsRegionOnly) {
  EXPECT_EQ(regions.find(0x1000), nullptr);
  ASSERT_TRUE(regions.add(0x1000, 0x1800, 0x2000, true));
  ASSERT_TRUE(regions.add(0x2000, 0x3000, 0x3000, false));
  ASSERT_TRUE(regions.add(0x8000, 0x8000, 0x9000, true));
  EXPECT_EQ(regions.find(0xfff), nullptr);
  EXPECT_EQ(regions.find(0x1000), &room[0]);
  EXPECT_EQ(regions.find(0x1fff), &room[0]);
  EXPECT_EQ(regions.find(0x2000), &room[1]);
  EXPECT_EQ(regions.find(0x3000), nullptr);
  EXPECT_EQ(regions.find(0x7fff), nullptr);
  EXPECT_EQ(regions.find(0x8fff), &room[2]);
  EXPECT_EQ(regions.find(0x9000), nullptr);
  regions.clear();
  EXPECT_EQ(regions.find(0x1000), nullptr);
}

TEST_F(Regions, ThereIsNoMoreRoomThanWasGiven) {
  for (uint64_t i = 1; i <= room.size(); ++i)
    EXPECT_TRUE(regions.add(i * 0x1000, i * 0x1000, i * 0x1000 + 8, true));
  EXPECT_FALSE(regions.add(0x10000, 0x10000, 0x10008, true));
}

TEST_F(Regions, WhatIsNotInUseMayFault) {
  regions.add(0x1000, 0x1800, 0x2000, true);
  EXPECT_TRUE(regions.may_load(room[0], 0x1000, 8));
  EXPECT_TRUE(regions.may_load(room[0], 0x17f8, 8));
  EXPECT_FALSE(regions.may_load(room[0], 0x17f8, 9));
  EXPECT_FALSE(regions.may_load(room[0], 0x1800, 8));
}

TEST_F(Regions, OldOnesCountWhereNothingIsSweptInTheBackground) {
  regions.add(0x1000, 0x2000, 0x2000, false);
  EXPECT_FALSE(regions.may_load(room[0], 0x1000, 8));
  regions.old_stay = true;
  EXPECT_TRUE(regions.may_load(room[0], 0x1000, 8));
}

TEST_F(Regions, AGuardedReadSaysHowFarAYoungOneIsInUse) {
  regions.add(kPage, kPage, 4 * kPage, true);
  regions.add(8 * kPage, 8 * kPage, 12 * kPage, false);
  regions.old_stay = true;
  regions.was_read(2 * kPage);
  EXPECT_FALSE(regions.may_load(room[0], kPage, 8));  // with several heaps what was in use may be given back
  regions.young_grow = true;
  regions.was_read(2 * kPage + 16);
  EXPECT_TRUE(regions.may_load(room[0], kPage, 8));
  EXPECT_TRUE(regions.may_load(room[0], 3 * kPage - 8, 8));
  EXPECT_FALSE(regions.may_load(room[0], 3 * kPage, 8));
  regions.was_read(kPage);
  EXPECT_TRUE(regions.may_load(room[0], 3 * kPage - 8, 8));  // it does not shrink
  regions.was_read(8 * kPage);
  EXPECT_FALSE(regions.may_load(room[1], 8 * kPage, 8));
  regions.was_read(100 * kPage);
}

// What is taken into use is more than one page, and threads allocate on: asked once.
TEST_F(Regions, BeyondAReadItIsLookedAheadOnce) {
  constexpr uint64_t kLarge = 1 << 20;
  regions.add(kLarge, kLarge, 5 * kLarge, true);
  int asked = 0;
  size_t readable = 2;
  const auto count = [&](std::span<const uint64_t> addresses) {
    ++asked;
    EXPECT_EQ(addresses.back(), 5 * kLarge - 1);
    return readable;
  };
  regions.look_ahead(kLarge, count);
  EXPECT_EQ(asked, 0);  // with several heaps it is of no use
  regions.young_grow = true;
  regions.look_ahead(kLarge, count);
  EXPECT_EQ(asked, 1);
  const uint64_t end = kLarge + kPage + 256 * 1024;
  EXPECT_TRUE(regions.may_load(room[0], end - 8, 8));
  EXPECT_FALSE(regions.may_load(room[0], end, 8));
  regions.look_ahead(end, count);
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(regions.may_load(room[0], end, 8));
  regions.clear();
  regions.add(kLarge, kLarge, 5 * kLarge, true);
  readable = 0;
  regions.look_ahead(kLarge, count);
  EXPECT_EQ(asked, 2);
  EXPECT_FALSE(regions.may_load(room[0], kLarge + kPage, 8));
}

// Reads of memory of the test's own, as the handler reads the heap.
struct Reader : Regions {
  static bool read(void* context, uint64_t address, void* to, size_t size) {
    auto* self = static_cast<Reader*>(context);
    ++self->guarded;
    std::memcpy(to, reinterpret_cast<const void*>(address), size);
    return true;
  }
  uint64_t at(size_t byte) const { return reinterpret_cast<uint64_t>(memory) + byte; }
  uint64_t loaded(HeapReader& reader, size_t byte) {
    uint64_t value = 0;
    EXPECT_TRUE(reader.load64(at(byte), &value));
    return value;
  }

  alignas(kPage) uint64_t memory[2 * kPage / 8] = {};
  int guarded = 0;
};

TEST_F(Reader, OfARegionNothingIsGuarded) {
  memory[1] = 77;
  regions.add(at(0), at(kPage), at(2 * kPage), true);
  HeapReader reader({{}, &regions}, read, this);
  EXPECT_EQ(loaded(reader, 8), 77u);
  EXPECT_EQ(guarded, 0);
  loaded(reader, kPage);
  EXPECT_EQ(guarded, 1);
}

TEST_F(Reader, OneGuardedReadIsForAllThatIsExpectedOfAnObject) {
  memory[4] = 11;
  memory[9] = 12;
  HeapReader reader({}, read, this);
  reader.expect(at(32), 64);
  EXPECT_EQ(loaded(reader, 32), 11u);
  EXPECT_EQ(loaded(reader, 72), 12u);
  EXPECT_EQ(guarded, 1);
  loaded(reader, 96);
  EXPECT_EQ(guarded, 2);
}

TEST_F(Reader, WhatIsExpectedEndsWithThePage) {
  HeapReader reader({}, read, this);
  reader.expect(at(kPage - 8), 64);
  loaded(reader, kPage - 8);
  EXPECT_EQ(guarded, 1);
  loaded(reader, kPage);
  EXPECT_EQ(guarded, 2);
}

TEST_F(Reader, AnObjectIsWhereTheHeapIs) {
  const HeapReader anywhere({}, read, this), there({{0x10000, 0x20000}, nullptr}, read, this);
  EXPECT_TRUE(anywhere.may_be_object(0x12340));
  EXPECT_TRUE(there.may_be_object(0x12340));
  EXPECT_FALSE(there.may_be_object(0x12341));
  EXPECT_FALSE(there.may_be_object(0x20000));
  EXPECT_TRUE(HeapReader::is_place(0x20000));
}

}  // namespace
}  // namespace walkabout::unwind
