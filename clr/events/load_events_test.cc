#include "clr/events/load_events.h"

#include <gtest/gtest.h>

#include "clr/events/test_payload.h"

namespace walkabout::clr {
namespace {

using testing::Payload;
using testing::put;
using testing::put_text;

TEST(Loading, ABeginOfCompilingHasItsMethodAndIlSize) {
  Payload payload;
  put<uint64_t>(payload, 0x7f0000000010);
  put<uint64_t>(payload, 0x7f0000000020);
  put<uint32_t>(payload, 0x06000001);
  put<uint32_t>(payload, 77);
  put_text(payload, u"System.String");
  JittingStarted event;
  ASSERT_TRUE(parse_jitting_started(payload, &event));
  EXPECT_EQ(event.method_id, 0x7f0000000010u);
  EXPECT_EQ(event.il_size, 77u);
  EXPECT_FALSE(parse_jitting_started(std::span(payload).first(23), &event));
}

TEST(Loading, NamesStandBehindTheFixedParts) {
  Payload type;
  put<uint32_t>(type, 1);
  put<uint16_t>(type, 0);
  put<uint16_t>(type, 6);
  put<uint64_t>(type, 0x7f0000000010);
  put_text(type, u"System.Collections.Generic.List`1[System.Int32]");
  EventString name;
  ASSERT_TRUE(parse_type_load_stop(type, &name));
  EXPECT_EQ(name.utf8(), "System.Collections.Generic.List`1[System.Int32]");
  EXPECT_FALSE(parse_type_load_stop(std::span(type).first(20), &name));

  Payload assembly;
  for (int i = 0; i < 3; ++i) put<uint64_t>(assembly, 1);
  put<uint32_t>(assembly, 0);
  put_text(assembly, u"demo, Version=1.0.0.0");
  ASSERT_TRUE(parse_assembly_load(assembly, &name));
  EXPECT_EQ(name.utf8(), "demo, Version=1.0.0.0");

  Payload module;
  for (int i = 0; i < 3; ++i) put<uint64_t>(module, 1);
  put_text(module, u"/app/demo.dll");
  ASSERT_TRUE(parse_module_load(module, &name));
  EXPECT_EQ(name.utf8(), "/app/demo.dll");
  EXPECT_FALSE(parse_module_load(std::span(module).first(23), &name));
}

}  // namespace
}  // namespace walkabout::clr
