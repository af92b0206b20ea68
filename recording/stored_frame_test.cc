#include "recording/stored_frame.h"

#include <gtest/gtest.h>

namespace walkabout::recording {
namespace {

std::string some_bytes(size_t size) {
  std::string bytes(size, 0);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31 >> 3);
  return bytes;
}

TEST(StoredFrame, GivesItsBytesBack) {
  for (const size_t size : {size_t{1}, size_t{131072}, size_t{131073}, size_t{700000}}) {
    const std::string bytes = some_bytes(size);
    std::string back(size, 'x');
    ASSERT_TRUE(read_stored_frame(stored_frame(bytes), &back)) << size;
    EXPECT_EQ(back, bytes);
  }
}

TEST(StoredFrame, CutAnywhereItIsRefused) {
  const std::string frame = stored_frame(some_bytes(300));
  for (size_t size = 0; size < frame.size(); ++size) {
    std::string back(300, 0);
    EXPECT_FALSE(read_stored_frame(std::string_view(frame).substr(0, size), &back)) << size;
  }
}

TEST(StoredFrame, WhatIsBehindItIsRefused) {
  std::string back(300, 0);
  EXPECT_FALSE(read_stored_frame(stored_frame(some_bytes(300)) + "x", &back));
}

TEST(StoredFrame, AnotherSizeThanInTheHeaderIsRefused) {
  for (const size_t size : {299u, 301u, 0u}) {
    std::string back(size, 0);
    EXPECT_FALSE(read_stored_frame(stored_frame(some_bytes(300)), &back)) << size;
  }
}

TEST(StoredFrame, ABlockLongerThanTheRestIsRefused) {
  std::string frame = stored_frame(some_bytes(300));
  frame[9] = static_cast<char>(301 << 3 | 1);
  std::string back(300, 0);
  EXPECT_FALSE(read_stored_frame(frame, &back));
}

TEST(StoredFrame, ACompressedBlockIsRecognized) {
  std::string frame = stored_frame(some_bytes(300));
  EXPECT_TRUE(is_stored_frame(frame));
  frame[9] = static_cast<char>(frame[9] | 4);
  std::string back(300, 0);
  EXPECT_FALSE(is_stored_frame(frame));
  EXPECT_FALSE(read_stored_frame(frame, &back));
}

}  // namespace
}  // namespace walkabout::recording
