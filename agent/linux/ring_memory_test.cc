#include "agent/linux/ring_memory.h"

#include <gtest/gtest.h>

#include "agent/linux/handler/self_memory.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kRing = 64 << 10;

bool can_be_read(const wire::SlotHeader* slot) {
  uint8_t byte = 0;
  return read_self(nullptr, reinterpret_cast<uint64_t>(slot), &byte, 1);
}

// What can be read is in every dump. Broken by memory that is only emptied.
TEST(RingMemory, WhatIsNotInUseCannotBeRead) {
  DescriptorHost host;
  RingMemory rings(host);
  ASSERT_TRUE(rings.map(kRing, 0).ok());
  EXPECT_FALSE(can_be_read(rings.slot(0)));
  for (uint32_t slot = 0; slot < 200; ++slot) ASSERT_TRUE(rings.back(slot).ok());
  EXPECT_TRUE(can_be_read(rings.slot(0)));
  for (uint32_t slot = 0; slot < 200; ++slot) rings.give_back(slot);
  EXPECT_FALSE(can_be_read(rings.slot(0)));
  EXPECT_TRUE(can_be_read(rings.slot(199))) << "the last ones are kept";
  ASSERT_TRUE(rings.back(0).ok());
  EXPECT_EQ(rings.slot(0)->ring_size, kRing);
  EXPECT_EQ(rings.slot(0)->cpu().samples, 0u);
}

}  // namespace
}  // namespace walkabout::agent
