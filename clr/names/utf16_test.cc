// UTF-16 from the CLR to UTF-8, with the ill-formed text that metadata may hold.
#include "clr/names/utf16.h"

#include <gtest/gtest.h>

namespace walkabout::clr {
namespace {

TEST(Utf16, EveryLengthOfCharacter) {
  EXPECT_EQ(to_utf8(u""), "");
  EXPECT_EQ(to_utf8(u"aé€"), "aé€");
  EXPECT_EQ(to_utf8(u"\U0001F600\U0010FFFF"), "\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf");
}

TEST(Utf16, UnpairedSurrogatesAreReplaced) {
  EXPECT_EQ(to_utf8(std::u16string{0xd800}), "\xef\xbf\xbd");
  EXPECT_EQ(to_utf8(std::u16string{0xdc00, u'a'}),
            "\xef\xbf\xbd"
            "a");
  EXPECT_EQ(to_utf8(std::u16string{0xd800, u'a', 0xd83d, 0xde00}),
            "\xef\xbf\xbd"
            "a\xf0\x9f\x98\x80");
}

}  // namespace
}  // namespace walkabout::clr
