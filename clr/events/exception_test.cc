#include "clr/events/exception.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

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

TEST(Exception, TheMethodThatHandlesItIsRead) {
  Payload payload;
  put<uint64_t>(payload, 1);
  put<uint64_t>(payload, 2);
  put_text(payload, u"Program.Main");
  put<uint16_t>(payload, 0);
  EventString method;
  ASSERT_TRUE(parse_exception_catch(payload, &method));
  EXPECT_EQ(method.utf8(), "Program.Main");
  for (size_t size = 0; size + sizeof(uint16_t) < payload.size(); ++size)
    EXPECT_FALSE(parse_exception_catch(std::span(payload).first(size), &method)) << size;
}

std::string plain(std::u16string_view text) {
  const EventString method{{reinterpret_cast<const uint8_t*>(text.data()), text.size() * sizeof(char16_t)}};
  const PlainMethod found = plain_method(method);
  return found.type.utf8() + "|" + found.name.utf8();
}

TEST(Exception, AMethodIsPlainWithoutWhatStandsAroundItsName) {
  EXPECT_EQ(plain(u"void [kinds] Throws::Deep(int32)"), "Throws|Deep");
  EXPECT_EQ(
      plain(u"instance class [System.Runtime]System.Object [app] A.B`1[[System.Int32, System.X]]::.ctor()"),
      "A.B`1[[System.Int32, System.X]]|.ctor");
  EXPECT_EQ(plain(u"instance void [a] T::System.IDisposable.Dispose()"), "T|System.IDisposable.Dispose");
  EXPECT_EQ(plain(u"something else (x)"), "|something else (x)");
  EXPECT_EQ(plain(u"::"), "|");
  EXPECT_EQ(plain(u""), "|");
}

TEST(Exception, ACutPayloadIsNoEvent) {
  const Payload whole = thrown(0);
  ExceptionThrown event;
  for (size_t size = 0; size + sizeof(uint16_t) < whole.size(); ++size)
    EXPECT_FALSE(parse_exception_thrown(std::span(whole).first(size), &event)) << size;
}

}  // namespace
}  // namespace walkabout::clr
