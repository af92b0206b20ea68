#include "base/error_line.h"

#include <gtest/gtest.h>

namespace walkabout::base {
namespace {

TEST(ErrorLine, IsOneLineWhateverTheTextHolds) {
  EXPECT_EQ(error_line("cannot write a.walk"), "walkabout: cannot write a.walk\n");
  EXPECT_EQ(error_line("a\nb\x1b[2J\x7f"), "walkabout: a b\\u{1B}[2J\\u{7F}\n");
}

TEST(ErrorLine, LeavesLettersOfEveryLanguageAndTakesControlsOfThemOut) {
  EXPECT_EQ(error_line("größer \xc2\x9b"), "walkabout: größer \\u{9B}\n");
  EXPECT_EQ(error_line("a\u202eb.walk"), "walkabout: a\\u{202E}b.walk\n") << "the order of reading";
  EXPECT_EQ(error_line("cut \xc2"), "walkabout: cut \xc2\n");
}

}  // namespace
}  // namespace walkabout::base
