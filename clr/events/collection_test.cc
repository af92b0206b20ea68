#include "clr/events/collection.h"

#include <gtest/gtest.h>

#include "clr/events/test_payload.h"

namespace walkabout::clr {
namespace {

using testing::Payload;
using testing::put;

TEST(Collection, AStartHasItsGenerationReasonAndKind) {
  Payload payload;
  put<uint32_t>(payload, 17);  // count
  put<uint32_t>(payload, 2);
  put<uint32_t>(payload, 4);
  put<uint32_t>(payload, 1);
  put<uint16_t>(payload, 0);
  put<uint64_t>(payload, 0);
  GcStart event;
  ASSERT_TRUE(parse_gc_start(payload, &event));
  EXPECT_EQ(event.count, 17u);
  EXPECT_EQ(event.generation, 2u);
  EXPECT_EQ(gc_reason_text(event.reason), u"large objects");
  EXPECT_TRUE(event.background);
  for (size_t size = 0; size < 16; ++size)
    EXPECT_FALSE(parse_gc_start(std::span(payload).first(size), &event));
}

TEST(Collection, AnEndHasTheNumberOfItsStart) {
  Payload payload;
  put<uint32_t>(payload, 17);
  put<uint32_t>(payload, 2);
  GcEnd event;
  ASSERT_TRUE(parse_gc_end(payload, &event));
  EXPECT_EQ(event.count, 17u);
  EXPECT_EQ(event.generation, 2u);
  for (size_t size = 0; size < payload.size(); ++size)
    EXPECT_FALSE(parse_gc_end(std::span(payload).first(size), &event));
}

TEST(Collection, ASuspensionSaysWhy) {
  Payload payload;
  put<uint32_t>(payload, 6);
  put<uint32_t>(payload, 17);
  uint32_t reason = 0;
  ASSERT_TRUE(parse_suspend_begin(payload, &reason));
  EXPECT_TRUE(is_for_gc(reason));
  EXPECT_EQ(suspend_reason_text(5), u"debugger");
  EXPECT_EQ(suspend_reason_text(99), u"other");
  EXPECT_FALSE(parse_suspend_begin({}, &reason));
}

}  // namespace
}  // namespace walkabout::clr
