#include "clr/events/exception.h"

#include <gtest/gtest.h>

#include "clr/events/test_payload.h"

namespace walkabout::clr {
namespace {

using testing::Payload;
using testing::put;
using testing::put_text;

Payload thrown(uint16_t flags) {
  Payload payload;
  put_text(payload, u"System.FormatException");
  put_text(payload, u"no number: \u00e4");
  put<uint64_t>(payload, 0);  // ip
  put<uint32_t>(payload, 0x80131537);
  put<uint16_t>(payload, flags);
  put<uint16_t>(payload, 0);
  return payload;
}

TEST(Exception, ItsTypeMessageAndKindAreRead) {
  ExceptionThrown event;
  const Payload payload = thrown(0x10);
  ASSERT_TRUE(parse_exception_thrown(payload, &event));
  EXPECT_EQ(event.type.utf8(), "System.FormatException");
  EXPECT_EQ(event.message.utf8(), "no number: ä");
  EXPECT_FALSE(event.nested || event.rethrown);
  ASSERT_TRUE(parse_exception_thrown(thrown(0x14), &event));
  EXPECT_TRUE(event.rethrown);
  ASSERT_TRUE(parse_exception_thrown(thrown(0x02), &event));
  EXPECT_TRUE(event.nested);
}

TEST(Exception, ACutPayloadIsNoEvent) {
  const Payload whole = thrown(0);
  ExceptionThrown event;
  for (size_t size = 0; size + sizeof(uint16_t) < whole.size(); ++size)
    EXPECT_FALSE(parse_exception_thrown(std::span(whole).first(size), &event)) << size;
}

}  // namespace
}  // namespace walkabout::clr
