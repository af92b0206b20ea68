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

TEST(Utf16, BytesThatWereCutEndInDots) {
  const uint8_t bytes[] = {'a', 0, 0xe9, 0, 'b'};
  EXPECT_EQ(to_utf8(bytes, false), "aé") << "half of a character is none";
  EXPECT_EQ(to_utf8(std::span(bytes).first(4), true), "aé...");
  EXPECT_EQ(to_utf8(std::span<const uint8_t>(), false), "");
}

TEST(Utf16, FromUtf8) {
  EXPECT_EQ(to_utf16(""), u"");
  EXPECT_EQ(to_utf16("a\xc3\xa9\xe2\x82\xac"), u"aé€");
  EXPECT_EQ(to_utf16("\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf"), u"\U0001F600\U0010FFFF");
}

TEST(Utf16, WhatIsNoUtf8IsReplaced) {
  EXPECT_EQ(to_utf16("a\xff"
                     "b"),
            u"a\xfffd"
            u"b");
  EXPECT_EQ(to_utf16("\xe2\x82"), u"\xfffd\xfffd") << "cut off";
  EXPECT_EQ(to_utf16("\xc0\x80"), u"\xfffd\xfffd") << "longer than need be";
  EXPECT_EQ(to_utf16("\xed\xa0\x80"), u"\xfffd\xfffd\xfffd") << "half of a pair";
  EXPECT_EQ(to_utf16("\xf4\x90\x80\x80"), u"\xfffd\xfffd\xfffd\xfffd") << "beyond the last character";
}

}  // namespace
}  // namespace walkabout::clr
