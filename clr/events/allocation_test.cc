// Payloads as the runtime lays them out, cut anywhere.
#include "clr/events/allocation.h"

#include <gtest/gtest.h>

#include "clr/events/test_payload.h"

namespace walkabout::clr {
namespace {

using testing::Payload;
using testing::put;
using testing::put_text;

Payload tick(uint32_t version) {
  Payload payload;
  put<uint32_t>(payload, 106'000);
  put<uint32_t>(payload, 1);  // large
  put<uint16_t>(payload, 0);  // CLR instance
  put<uint64_t>(payload, uint64_t{5} << 32);
  put<uint64_t>(payload, 0x7f0000000010);  // type
  put_text(payload, u"System.Byte[]");
  put<uint32_t>(payload, 0);  // heap's index
  if (version >= 3) put<uint64_t>(payload, 0x7f0000001000);
  if (version >= 4) put<uint64_t>(payload, 100'024);
  return payload;
}

Payload sampled() {
  Payload payload;
  put<uint32_t>(payload, 2);  // pinned
  put<uint16_t>(payload, 0);
  put<uint64_t>(payload, 0x7f0000000010);
  put_text(payload, u"System.String");
  put<uint64_t>(payload, 0x7f0000001000);
  put<uint64_t>(payload, 48);
  put<uint64_t>(payload, 12);
  return payload;
}

TEST(Allocation, ATickHasItsAmountAndFromVersion4TheSize) {
  AllocatedObject object;
  const Payload latest = tick(4), earlier = tick(3);
  ASSERT_TRUE(parse_allocation_tick(latest, 4, &object));
  EXPECT_EQ(object.heap, HeapKind::kLarge);
  EXPECT_EQ(object.type.utf8(), "System.Byte[]");
  EXPECT_EQ(object.amount, uint64_t{5} << 32);
  EXPECT_EQ(object.size, 100'024u);
  ASSERT_TRUE(parse_allocation_tick(earlier, 3, &object));
  EXPECT_EQ(object.size, 0u);
  EXPECT_FALSE(parse_allocation_tick(latest, 1, &object)) << "which has no amount of 64 bits";
}

TEST(Allocation, ASampledObjectHasItsSize) {
  AllocatedObject object;
  const Payload payload = sampled();
  ASSERT_TRUE(parse_allocation_sampled(payload, &object));
  EXPECT_EQ(object.heap, HeapKind::kPinned);
  EXPECT_EQ(object.type.utf8(), "System.String");
  EXPECT_EQ(object.size, 48u);
}

TEST(Allocation, ACutPayloadIsNoEvent) {
  AllocatedObject object;
  const Payload whole = sampled();
  for (size_t size = 0; size + sizeof(uint64_t) < whole.size(); ++size)
    EXPECT_FALSE(parse_allocation_sampled(std::span(whole).first(size), &object)) << size;
  const Payload ticked = tick(4);
  for (size_t size = 0; size < ticked.size(); ++size) {
    const bool parsed = parse_allocation_tick(std::span(ticked).first(size), 4, &object);
    EXPECT_TRUE(!parsed || object.size == 0) << size;
  }
}

}  // namespace
}  // namespace walkabout::clr
