#include "clr/events/waiting.h"

#include <gtest/gtest.h>

#include "clr/events/test_payload.h"

namespace walkabout::clr {
namespace {

using testing::Payload;
using testing::put;

TEST(Waiting, AContentionHasItsLockAndOwner) {
  Payload payload;
  put<uint8_t>(payload, 0);
  put<uint16_t>(payload, 0);
  put<uint64_t>(payload, 0x7f0000000100);
  put<uint64_t>(payload, 0x7f0000000200);
  put<uint64_t>(payload, 4711);
  ContentionStart event;
  ASSERT_TRUE(parse_contention_start(payload, 2, &event));
  EXPECT_EQ(event.lock, 0x7f0000000100u);
  EXPECT_EQ(event.owner, 4711u);
  ASSERT_TRUE(parse_contention_start(payload, 1, &event));
  EXPECT_EQ(event.owner, 0u) << "an older event has none";
  for (size_t size = 0; size < payload.size(); ++size)
    EXPECT_FALSE(parse_contention_start(std::span(payload).first(size), 2, &event)) << size;
}

TEST(Waiting, WhatWaitsIsSaid) {
  EXPECT_TRUE(is_monitor_wait(Payload{1, 0, 0}));
  EXPECT_FALSE(is_monitor_wait(Payload{0, 0, 0}));
  EXPECT_FALSE(is_monitor_wait({}));
}

}  // namespace
}  // namespace walkabout::clr
