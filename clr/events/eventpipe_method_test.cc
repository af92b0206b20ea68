// Payloads as the runtime lays them out, cut anywhere and filled with anything.
#include "clr/events/eventpipe_method.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "clr/events/test_payload.h"

namespace walkabout::clr {
namespace {

using testing::Payload;
using testing::put;
using testing::put_text;

// V2 of MethodLoadVerbose; V0 ends behind the strings.
Payload load(uint32_t flags, uint64_t start = 0x7f0000001000, uint32_t size = 0x40, bool v2 = true) {
  Payload payload;
  put<uint64_t>(payload, 0x1111);
  put<uint64_t>(payload, 0x2222);
  put<uint64_t>(payload, start);
  put<uint32_t>(payload, size);
  put<uint32_t>(payload, 0x06000003);
  put<uint32_t>(payload, flags);
  put_text(payload, u"Ns.Caché");
  put_text(payload, u"Go");
  put_text(payload, u"void  ()");
  if (v2) {
    put<uint16_t>(payload, 0);  // CLR instance
    put<uint64_t>(payload, 0);  // ReJIT id
  }
  return payload;
}

TEST(MethodLoad, EveryField) {
  const Payload payload = load(0x188);
  MethodLoad event;
  ASSERT_TRUE(parse_method_load(payload, 2, &event));
  EXPECT_EQ(event.method_id, 0x1111u);
  EXPECT_EQ(event.module_id, 0x2222u);
  EXPECT_EQ(event.start, 0x7f0000001000u);
  EXPECT_EQ(event.size, 0x40u);
  EXPECT_EQ(event.token, 0x06000003u);
  EXPECT_EQ(event.type.utf8(), "Ns.Caché");
  EXPECT_EQ(event.name.utf8(), "Go");
  EXPECT_EQ(event.signature.utf8(), "void  ()");
  EXPECT_FALSE(event.dynamic);
  EXPECT_FALSE(event.generic);
}

TEST(MethodLoad, FlagsAsMeasured) {
  const std::pair<uint32_t, int> tiers[] = {{0x88, 1},  {0x108, 2}, {0x188, 3}, {0x208, 4},
                                            {0x288, 5}, {0x308, 6}, {0x388, 7}, {0x1c8, 3}};
  MethodLoad event;
  for (const auto& [flags, tier] : tiers) {
    ASSERT_TRUE(parse_method_load(load(flags), 1, &event));
    EXPECT_EQ(event.tier, tier) << std::hex << flags;
  }
  ASSERT_TRUE(parse_method_load(load(0x109), 1, &event));
  EXPECT_TRUE(event.dynamic);
  EXPECT_FALSE(event.generic);
  ASSERT_TRUE(parse_method_load(load(0x18e), 1, &event));
  EXPECT_TRUE(event.generic);
}

TEST(MethodLoad, OldAndLaterVersionsAreReadTheSame) {
  MethodLoad event;
  EXPECT_TRUE(parse_method_load(load(0x188, 0x1000, 1, false), 0, &event));
  Payload later = load(0x188);
  later.insert(later.end(), 100, 0xff);
  EXPECT_TRUE(parse_method_load(later, 9, &event));
  EXPECT_EQ(event.signature.utf8(), "void  ()");
}

TEST(MethodLoad, EveryCutBeforeTheLastTerminatorIsRefused) {
  const Payload whole = load(0x188, 0x1000, 1, false);
  MethodLoad event;
  for (size_t size = 0; size < whole.size(); ++size) {
    const Payload exact(whole.begin(),
                        whole.begin() + static_cast<ptrdiff_t>(size));  // so that ASan sees the end
    EXPECT_FALSE(parse_method_load(exact, 2, &event)) << size;
  }
}

TEST(MethodLoad, CodeThatCannotBeIsRefused) {
  MethodLoad event;
  EXPECT_FALSE(parse_method_load(load(0x188, 0, 0x40), 2, &event));
  EXPECT_FALSE(parse_method_load(load(0x188, 0x1000, 0), 2, &event));
  EXPECT_FALSE(parse_method_load(load(0x188, UINT64_MAX - 5, 0x40), 2, &event));
}

TEST(MethodLoad, LongNamesAreCut) {
  Payload payload = load(0x188);
  payload.resize(36);
  put_text(payload, std::u16string(100000, u'x'));
  put_text(payload, u"y");
  put_text(payload, u"z");
  MethodLoad event;
  ASSERT_TRUE(parse_method_load(payload, 2, &event));
  EXPECT_EQ(event.type.utf8().size(), 4096u);
  EXPECT_EQ(event.name.utf8(), "y");
}

TEST(MethodLoad, AnyBytesGiveFalseOrAView) {
  std::mt19937 random(1);
  for (int round = 0; round < 50000; ++round) {
    Payload payload(random() % 80);
    for (uint8_t& byte : payload) byte = static_cast<uint8_t>(random() % 3 == 0 ? 0 : random());
    MethodLoad event;
    if (!parse_method_load(payload, 2, &event)) continue;
    EXPECT_LE(event.signature.bytes.data() + event.signature.bytes.size(), payload.data() + payload.size());
    EXPECT_NE(event.size, 0u);
    event.type.utf8();
  }
}

TEST(MethodUnload, MethodAndStart) {
  MethodUnload event;
  ASSERT_TRUE(parse_method_unload(load(0x188), 2, &event));
  EXPECT_EQ(event.method_id, 0x1111u);
  EXPECT_EQ(event.start, 0x7f0000001000u);
  Payload cut = load(0x188);
  cut.resize(35);
  EXPECT_FALSE(parse_method_unload(cut, 2, &event));
}

}  // namespace
}  // namespace walkabout::clr
