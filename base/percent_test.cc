#include "base/percent.h"

#include <gtest/gtest.h>

namespace walkabout::base {
namespace {

TEST(Percent, WholeAndFractions) {
  EXPECT_EQ(parse_percent("1%"), 10'000u);
  EXPECT_EQ(parse_percent("0.25%"), 2'500u);
  EXPECT_EQ(parse_percent("100%"), 1'000'000u);
  EXPECT_EQ(parse_percent("0.0000001%"), 1u);
}

TEST(Percent, RefusesWhatIsNotOne) {
  for (const char* text : {"", "%", "1", "0%", "-1%", "100.1%", "1 %", "1%%", "1e1%", ".%", "1.2.3%", "nan%"})
    EXPECT_FALSE(parse_percent(text).has_value()) << text;
}

}  // namespace
}  // namespace walkabout::base
