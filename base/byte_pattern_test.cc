#include "base/byte_pattern.h"

#include <gtest/gtest.h>

#include <array>

namespace walkabout::base {
namespace {

TEST(BytePattern, EveryByteThatIsWrittenHasToBeThere) {
  const std::array<uint8_t, 4> bytes{0x48, 0xb8, 0x00, 0xc3};
  EXPECT_TRUE(is_pattern_at("48b800c3", bytes, 0));
  EXPECT_TRUE(is_pattern_at("48....c3", bytes, 0));
  EXPECT_TRUE(is_pattern_at("..c3", bytes, 2));
  EXPECT_FALSE(is_pattern_at("48b801c3", bytes, 0));
  EXPECT_FALSE(is_pattern_at("b8", bytes, 0));
}

TEST(BytePattern, NothingIsReadBehindTheEnd) {
  const std::array<uint8_t, 2> bytes{0x0f, 0x0b};
  EXPECT_FALSE(is_pattern_at("0f0b..", bytes, 0));
  EXPECT_FALSE(is_pattern_at("..", bytes, 2));
  EXPECT_FALSE(is_pattern_at("", bytes, 3));
  EXPECT_TRUE(is_pattern_at("", bytes, 2));
}

}  // namespace
}  // namespace walkabout::base
