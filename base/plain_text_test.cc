#include "base/plain_text.h"

#include <gtest/gtest.h>

namespace walkabout::base {
namespace {

TEST(PlainText, OrdinaryTextStays) {
  for (const std::string text : {"", "Demo.Worker", "na\u00efve \u00a9 \u65e5\u672c", "\U0001f469\ufe0f",
                                 "\xff\xfe", "\xc2", "\xe2\x80", "\u05d0\u05d1 \u0627"})
    EXPECT_EQ(plain_text(text), text);
}

TEST(PlainText, NothingMovesTheCursor) {
  EXPECT_EQ(plain_text("\x1b[2Jgone"), "\\u{1B}[2Jgone");
  EXPECT_EQ(plain_text("\x1b]0;title\x07"), "\\u{1B}]0;title\\u{7}");
  EXPECT_EQ(plain_text("\u009b31m\x7f"), "\\u{9B}31m\\u{7F}");
  EXPECT_EQ(plain_text("one\ntwo\tthree\r"), "one two three ");
  EXPECT_EQ(plain_text(std::string("a\0b", 3)), "a\\u{0}b");
}

TEST(PlainText, NothingTurnsTheOrderAroundOrHides) {
  EXPECT_EQ(plain_text("Get\u202eteS"), "Get\\u{202E}teS");
  EXPECT_EQ(plain_text("\u2066a\u2069\u200f"), "\\u{2066}a\\u{2069}\\u{200F}");
  EXPECT_EQ(plain_text("one\u2028two\u2029\u0085"), "one\\u{2028}two\\u{2029}\\u{85}");
  EXPECT_EQ(plain_text("a\u200bb\ufeff\u00ad"), "a\\u{200B}b\\u{FEFF}\\u{AD}");
  EXPECT_EQ(plain_text("\U000e0041\u3164"), "\\u{E0041}\\u{3164}");
  EXPECT_EQ(plain_text(plain_text("\u202e")), plain_text("\u202e"));
}

}  // namespace
}  // namespace walkabout::base
