#include <gtest/gtest.h>

#include <random>

#include "unwind/pe/pe_image.h"
#include "unwind/pe/pe_test_image.h"

namespace walkabout::unwind {
namespace {

using Pe = testing::HandMadePe;

TEST(PeImage, ReadsWhatTheHeadersHave) {
  const auto image = Pe().read();
  ASSERT_TRUE(image.has_value());
  EXPECT_EQ(image->size, Pe::kSize);
  EXPECT_EQ(image->code_begin, 0x1000u);
  EXPECT_EQ(image->code_end, 0x1800u);
  EXPECT_EQ(image->functions, 0x2000u);
  EXPECT_EQ(image->function_count, 3u);
  EXPECT_TRUE(image->managed);
  EXPECT_TRUE(image->ready_to_run);
}

TEST(PeImage, EveryHeaderOfItsContentIsOfItsIdentity) {
  const uint64_t identity = Pe().read()->identity;
  EXPECT_EQ(Pe().read()->identity, identity);
  EXPECT_EQ(identity_bytes(*Pe().read()).size(), 8u);
  EXPECT_NE(Pe().set<uint32_t>(Pe::kPe + 8, 77).read()->identity, identity) << "built at another time";
  EXPECT_NE(Pe().set<uint32_t>(Pe::kImageSize, Pe::kSize + 1).read()->identity, identity);
  EXPECT_NE(Pe().set<uint32_t>(Pe::kExceptions + 4, 24).read()->identity, identity);
  EXPECT_NE(Pe().set<uint32_t>(Pe::kSections + 8, 77).read()->identity, identity);
}

TEST(PeImage, AcceptsBothSpellingsOfTheMachineAndNoOther) {
  EXPECT_TRUE(Pe().set<uint16_t>(Pe::kPe + 4, 0x8664).read().has_value());
  for (const uint16_t machine : {0x14c, 0xaa64, 0, 0xd11d}) {
    EXPECT_FALSE(Pe().set<uint16_t>(Pe::kPe + 4, machine).read().has_value()) << machine;
  }
}

TEST(PeImage, WhatIsNoImageIsNone) {
  EXPECT_FALSE(Pe().set<uint16_t>(0, 0x457f).read().has_value()) << "no DOS header";
  EXPECT_FALSE(Pe().set<uint32_t>(0x3c, 0xffff'fff0).read().has_value()) << "the PE header far away";
  EXPECT_FALSE(Pe().set<uint32_t>(Pe::kPe, 0x4551).read().has_value()) << "no PE signature";
  EXPECT_FALSE(Pe().set<uint16_t>(Pe::kPe + 6, 97).read().has_value()) << "too many sections";
  EXPECT_FALSE(Pe().set<uint16_t>(Pe::kOptional, 0x10b).read().has_value()) << "32-bit headers";
  EXPECT_FALSE(Pe().set<uint32_t>(Pe::kImageSize, 0xffff'ffff).read().has_value()) << "4 GB";
  EXPECT_FALSE(read_pe_image(0, Memory()).has_value()) << "nothing can be read";
}

TEST(PeImage, HeadersCutOffAreNone) {
  for (size_t n = 0; n < Pe::kSections; n += 2) EXPECT_FALSE(Pe().read_first(n).has_value()) << n;
  const auto image = Pe().read_first(Pe::kSections + 20);
  ASSERT_TRUE(image.has_value());
  EXPECT_EQ(image->code_begin, image->code_end) << "its sections cannot be read";
}

TEST(PeImage, DirectoriesOutsideTheImageDoNotCount) {
  EXPECT_EQ(Pe().set<uint32_t>(Pe::kExceptions, Pe::kSize).read()->function_count, 0u);
  EXPECT_EQ(Pe().set<uint32_t>(Pe::kExceptions, 0xffff'fff0).read()->function_count, 0u);
  EXPECT_EQ(Pe().set<uint32_t>(Pe::kExceptions + 4, Pe::kSize).read()->function_count, 0u)
      << "reaches over its end";
  EXPECT_EQ(Pe().set<uint32_t>(Pe::kExceptions + 4, 11).read()->function_count, 0u) << "not one entry";
  EXPECT_EQ(Pe().set<uint32_t>(Pe::kDirectoryCount, 3).read()->function_count, 0u)
      << "the header ends before it";
  EXPECT_FALSE(Pe().set<uint32_t>(Pe::kCli, 0xffff'0000).read()->managed);
  EXPECT_FALSE(Pe().set<uint32_t>(Pe::kCli + 4, 71).read()->managed);
  EXPECT_FALSE(Pe().set<uint32_t>(0x2100 + 68, 0).read()->ready_to_run) << "IL only";
}

TEST(PeImage, SectionsAreHeldToTheImage) {
  const auto wide = Pe().section(0, 0x1000, 0xffff'ffff, 0x60000020).read();
  EXPECT_EQ(wide->code_end, Pe::kSize);
  const auto outside = Pe().section(0, 0xffff'f000, 0x2000, 0x60000020).read();
  EXPECT_EQ(outside->code_begin, outside->code_end);
  const auto two = Pe().section(1, 0x3000, 0x100, 0x60000020).read();
  EXPECT_EQ(two->code_begin, 0x1000u);
  EXPECT_EQ(two->code_end, 0x3100u) << "first to last";
}

TEST(PeImage, AnyHeaderGivesNoneOrAnImageThatLiesInside) {
  std::mt19937 random(3);
  int images = 0;
  for (int round = 0; round < 20'000; ++round) {
    Pe pe;
    for (int n = 1 + static_cast<int>(random() % 4); n > 0; --n) {
      const uint32_t at = random() % 4 == 0 ? 0x2100 + random() % 72 : random() % (Pe::kSections + 80);
      if (random() % 2 == 0)
        pe.set(at, static_cast<uint8_t>(random()));
      else
        pe.set(at, static_cast<uint32_t>(random()));
    }
    const auto image = pe.read();
    if (!image) continue;
    ++images;
    ASSERT_LE(image->code_begin, image->code_end);
    ASSERT_LE(image->code_end, image->size);
    ASSERT_LE(uint64_t{image->functions} + uint64_t{image->function_count} * sizeof(RuntimeFunction),
              image->size);
  }
  EXPECT_GT(images, 1000);
}

}  // namespace
}  // namespace walkabout::unwind
