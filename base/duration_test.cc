#include "base/duration.h"

#include <gtest/gtest.h>

namespace walkabout::base {
namespace {

TEST(Duration, EveryUnitAndFractions) {
  EXPECT_EQ(parse_duration("7ns"), 7u);
  EXPECT_EQ(parse_duration("100us"), 100'000u);
  EXPECT_EQ(parse_duration("10ms"), 10'000'000u);
  EXPECT_EQ(parse_duration("1s"), 1'000'000'000u);
  EXPECT_EQ(parse_duration("1.5s"), 1'500'000'000u);
  EXPECT_EQ(parse_duration("2m"), 120'000'000'000u);
  EXPECT_EQ(parse_duration("1h"), 3'600'000'000'000u);
  EXPECT_EQ(parse_duration("1d"), 86'400'000'000'000u);
}

TEST(Duration, RefusesWhatIsNotOne) {
  for (const char* text :
       {"", "10", "ms", "10 ms", "-1ms", "1.2.3s", "10msx", "1w", "99999999999999999999s"}) {
    EXPECT_FALSE(parse_duration(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace walkabout::base
