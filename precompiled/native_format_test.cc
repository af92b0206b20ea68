// Numbers, arrays and hash tables of ready-to-run images.
#include "precompiled/native_format.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::precompiled {
namespace {

using NativeBytes = std::vector<uint8_t>;

uint32_t number(const NativeBytes& bytes) {
  NativeCursor cursor(bytes, 0);
  const uint32_t value = cursor.number();
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.offset(), bytes.size());
  return value;
}

TEST(NativeFormat, NumbersOfEveryLength) {
  EXPECT_EQ(number({0xfe}), 0x7fu);
  EXPECT_EQ(number({0xfd, 0xff}), 0x3fffu);
  EXPECT_EQ(number({0x13, 0x00, 0x01}), 0x2002u);
  EXPECT_EQ(number({0x17, 0x00, 0x00, 0x01}), 0x100001u);
  EXPECT_EQ(number({0x0f, 0x78, 0x56, 0x34, 0x12}), 0x12345678u);
  const NativeBytes reserved = {0x1f, 0, 0, 0, 0};
  NativeCursor wrong(reserved, 0);
  wrong.number();
  EXPECT_FALSE(wrong.ok());
}

TEST(NativeFormat, ANumberIsAllThereOrNone) {
  for (const NativeBytes& bytes :
       {NativeBytes{}, NativeBytes{1}, NativeBytes{3, 0}, NativeBytes{7, 0, 0}, NativeBytes{15, 0, 0, 0}}) {
    NativeCursor cursor(bytes, 0);
    EXPECT_EQ(cursor.number(), 0u);
    EXPECT_FALSE(cursor.ok());
  }
}

TEST(NativeFormat, SignedNumbers) {
  const auto value = [](const NativeBytes& bytes) { return NativeCursor(bytes, 0).signed_number(); };
  EXPECT_EQ(value({5 << 1}), 5);
  EXPECT_EQ(value({0xfe}), -1);
  EXPECT_EQ(value({0xfd, 0xff}), -1);
  EXPECT_EQ(value({0x0f, 0xff, 0xff, 0xff, 0xff}), -1);
}

TEST(NativeFormat, ABlockWithOneEntry) {
  const NativeBytes bytes = {0x81, 2, 3, 4, 5, 2 << 2 << 1, 9 << 2 << 1, 7 << 2 << 1};
  const NativeArray array(bytes);  // three blocks; roots one behind the other
  ASSERT_EQ(array.size(), 40u);
  EXPECT_EQ(array.find(2), 6u);
  EXPECT_EQ(array.find(16 + 9), 7u);
  EXPECT_EQ(array.find(32 + 7), 8u);
  EXPECT_FALSE(array.find(0));
  EXPECT_FALSE(array.find(40));
}

TEST(NativeFormat, AHashTableIsReadOnceAtMost) {
  std::vector<uint64_t> seen;
  const auto visit = [&seen](uint64_t offset) { seen.push_back(offset); };
  EXPECT_TRUE(for_each_hashed({}, visit));
  EXPECT_TRUE(for_each_hashed(NativeBytes{0 << 2, 2, 6, 0x11, 4 << 1, 0x22, 3 << 1}, visit));
  EXPECT_EQ(seen, (std::vector<uint64_t>{8, 9}));
  // Two buckets that both claim the same bytes.
  EXPECT_FALSE(for_each_hashed(NativeBytes{1 << 2, 3, 5, 3, 0x11, 4 << 1}, visit));
  EXPECT_FALSE(for_each_hashed(NativeBytes{1 << 2, 3}, visit));
}

}  // namespace
}  // namespace walkabout::precompiled
