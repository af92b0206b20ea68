#include "unwind/rule/cfi_reader.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::unwind {
namespace {

using Bytes = std::vector<uint8_t>;

CfiReader over(const Bytes& bytes) { return CfiReader(MappedBytes{bytes.data(), bytes.size(), 0x1000}); }

TEST(CfiReader, ReadsLittleEndianAndKnowsItsAddress) {
  const Bytes bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  CfiReader reader = over(bytes);
  EXPECT_EQ(reader.u8(), 1);
  EXPECT_EQ(reader.u16(), 0x0302);
  EXPECT_EQ(reader.u32(), 0x07060504u);
  EXPECT_EQ(reader.address(), 0x1007u);
  EXPECT_EQ(reader.u64(), 0x0f0e0d0c0b0a0908u);
  EXPECT_TRUE(reader.at_end());
  EXPECT_TRUE(reader.ok());
}

TEST(CfiReader, PastTheEndFailsForGood) {
  const Bytes bytes = {1, 2, 3};
  CfiReader reader = over(bytes);
  EXPECT_EQ(reader.u32(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.u8(), 0) << "the bytes that are left must not be read after a failure";
  EXPECT_TRUE(reader.at_end());
}

TEST(CfiReader, UnsignedLeb) {
  const Bytes bytes = {0x02, 0x7f, 0x80, 0x01, 0xb9, 0x64};
  CfiReader reader = over(bytes);
  EXPECT_EQ(reader.uleb(), 2u);
  EXPECT_EQ(reader.uleb(), 127u);
  EXPECT_EQ(reader.uleb(), 128u);
  EXPECT_EQ(reader.uleb(), 12857u);
  EXPECT_TRUE(reader.ok());
}

TEST(CfiReader, SignedLeb) {
  const Bytes bytes = {0x02, 0x7e, 0xff, 0x00, 0x81, 0x7f, 0x80, 0x7f};
  CfiReader reader = over(bytes);
  EXPECT_EQ(reader.sleb(), 2);
  EXPECT_EQ(reader.sleb(), -2);
  EXPECT_EQ(reader.sleb(), 127);
  EXPECT_EQ(reader.sleb(), -127);
  EXPECT_EQ(reader.sleb(), -128);
  EXPECT_TRUE(reader.ok());
}

TEST(CfiReader, WidestLebs) {
  const Bytes most = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
  EXPECT_EQ(over(most).uleb(), UINT64_MAX);
  const Bytes least = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f};
  EXPECT_EQ(over(least).sleb(), INT64_MIN);
}

TEST(CfiReader, ZeroPaddingOfALebIsAccepted) {
  const Bytes bytes = {0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00};
  CfiReader reader = over(bytes);
  EXPECT_EQ(reader.uleb(), 5u);
  EXPECT_TRUE(reader.ok());
}

TEST(CfiReader, LebsThatDoNotFitFail) {
  const Bytes too_wide = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
  CfiReader unsigned_reader = over(too_wide);
  EXPECT_EQ(unsigned_reader.uleb(), 0u);
  EXPECT_FALSE(unsigned_reader.ok());
  const Bytes endless(64, 0xff);
  CfiReader signed_reader = over(endless);
  EXPECT_EQ(signed_reader.sleb(), 0);
  EXPECT_FALSE(signed_reader.ok());
}

TEST(CfiReader, CutLebsFail) {
  const Bytes bytes = {0x80, 0x80};
  CfiReader a = over(bytes);
  a.uleb();
  EXPECT_FALSE(a.ok());
  CfiReader b = over(bytes);
  b.sleb();
  EXPECT_FALSE(b.ok());
}

TEST(CfiReader, TakeGivesAPartAndItsAddress) {
  const Bytes bytes = {1, 2, 3, 4};
  CfiReader reader = over(bytes);
  reader.u8();
  const MappedBytes part = reader.take(2);
  EXPECT_EQ(part.data, bytes.data() + 1);
  EXPECT_EQ(part.size, 2u);
  EXPECT_EQ(part.address, 0x1001u);
  EXPECT_EQ(reader.take(2).size, 0u);
  EXPECT_FALSE(reader.ok());
}

TEST(MappedBytes, PartsAreInsideOrEmpty) {
  const Bytes bytes(16);
  const MappedBytes mapped{bytes.data(), bytes.size(), 0x1000};
  EXPECT_EQ(mapped.part(0x1008, 8).data, bytes.data() + 8);
  EXPECT_EQ(mapped.part(0x1008, 9).size, 0u);
  EXPECT_EQ(mapped.part(0xfff, 1).size, 0u);
  EXPECT_EQ(mapped.part(0x1001, UINT64_MAX).size, 0u);
  EXPECT_EQ(mapped.rest(0x100c).size, 4u);
  EXPECT_EQ(mapped.rest(0x1010).size, 0u);
  EXPECT_EQ(mapped.rest(0x0).size, 0u);
}

}  // namespace
}  // namespace walkabout::unwind
