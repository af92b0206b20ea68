#include "unwind/code/frame_sink.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::unwind {
namespace {

using wire::Frame;
using wire::FrameKind;

Frame numbered(uint64_t n) { return Frame::at_address(FrameKind::kStub, n); }

// What a buffer of `capacity` holds of `total` frames; one word behind it is watched.
std::vector<Frame> sunk(uint32_t capacity, uint64_t total, bool* left_out) {
  std::vector<Frame> buffer(capacity + 1, numbered(~uint64_t{0}));
  FrameSink sink(buffer.data(), capacity);
  for (uint64_t i = 0; i < total; ++i) sink.push(numbered(i));
  EXPECT_EQ(sink.total(), total);
  *left_out = sink.left_out();
  const uint32_t kept = sink.finish();
  EXPECT_EQ(buffer.back(), numbered(~uint64_t{0}));
  return {buffer.begin(), buffer.begin() + kept};
}

TEST(FrameSink, KeepsEverythingThatFits) {
  for (uint64_t total = 0; total <= 9; ++total) {
    bool left_out = true;
    const auto frames = sunk(9, total, &left_out);
    EXPECT_FALSE(left_out);
    ASSERT_EQ(frames.size(), total);
    for (uint64_t i = 0; i < total; ++i) EXPECT_EQ(frames[i], numbered(i));
  }
}

TEST(FrameSink, DeepStacksKeepTheLeafHalfAndTheRootEnd) {
  for (uint32_t capacity = 4; capacity <= 12; ++capacity) {
    for (uint64_t total = capacity + 1; total < capacity + 40; ++total) {
      bool left_out = false;
      const auto frames = sunk(capacity, total, &left_out);
      EXPECT_TRUE(left_out);
      ASSERT_EQ(frames.size(), capacity);
      const uint32_t leaf = capacity / 2;
      for (uint32_t i = 0; i < leaf; ++i) ASSERT_EQ(frames[i], numbered(i));
      ASSERT_EQ(frames[leaf].kind(), FrameKind::kLeftOut);
      const uint64_t missing = frames[leaf].address();
      ASSERT_EQ(missing, total - (capacity - 1)) << "all but what the buffer shows";
      for (uint32_t i = leaf + 1; i < capacity; ++i) ASSERT_EQ(frames[i], numbered(i + missing - 1));
      ASSERT_EQ(frames.back(), numbered(total - 1)) << "the root";
    }
  }
}

}  // namespace
}  // namespace walkabout::unwind
