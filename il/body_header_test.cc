#include "il/body_header.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::il {
namespace {

using Bytes = std::vector<uint8_t>;

TEST(BodyHeader, Tiny) {
  const Bytes body = {3 << 2 | 2, 0x16, 0x0a, 0x2a, 0xff};
  const auto header = read_body_header(body);
  ASSERT_TRUE(header);
  EXPECT_FALSE(header->fat);
  EXPECT_EQ(header->code_size, 3u);
  EXPECT_EQ(header->max_stack, 8);
  EXPECT_EQ(code_of(body).size(), 3u);
  EXPECT_EQ(code_of(body).front(), 0x16);
  EXPECT_EQ(read_body_header(Bytes{63 << 2 | 2})->code_size, 63u) << "bit 2 is of the size";
}

TEST(BodyHeader, Fat) {
  const Bytes body = {0x13, 0x30, 2, 0, 2, 0, 0, 0, 1, 0, 0, 0x11, 0x17, 0x2a, 0xff};
  const auto header = read_body_header(body);
  ASSERT_TRUE(header);
  EXPECT_TRUE(header->fat);
  EXPECT_EQ(header->flags, kInitLocals);
  EXPECT_EQ(header->max_stack, 2);
  EXPECT_EQ(header->locals, 0x11000001u);
  EXPECT_EQ(code_of(body).size(), 2u);
  EXPECT_EQ(code_of(body).front(), 0x17);
}

TEST(BodyHeader, WhatIsNone) {
  EXPECT_FALSE(read_body_header(Bytes{}));
  EXPECT_FALSE(read_body_header(Bytes{0x00}));
  EXPECT_FALSE(read_body_header(Bytes{0x01}));
  EXPECT_FALSE(read_body_header(Bytes{0x13, 0x30, 2, 0, 2, 0, 0, 0, 0, 0, 0})) << "cut off";
  EXPECT_FALSE(read_body_header(Bytes{0x13, 0x40, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0})) << "of four words";
  EXPECT_FALSE(read_body_header(Bytes{0x17, 0x30, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0})) << "of another kind";
  EXPECT_TRUE(code_of(Bytes{0x13, 0x30, 2, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0x17}).empty()) << "cut off";
}

}  // namespace
}  // namespace walkabout::il
