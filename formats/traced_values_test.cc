#include "formats/traced_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/test_profile.h"
#include "formats/test_traced.h"
#include "profile/query/view.h"

namespace walkabout::formats {
namespace {

TEST(TracedValues, EachIsASourceOfItsOwn) {
  const profile::Profile p = by_traced_value(testing::traced_profile());
  ASSERT_EQ(p.sources.size(), 3u);
  EXPECT_EQ(p.sources[0].values[0].name, "traced time");
  EXPECT_EQ(p.sources[1].name, "calls");
  EXPECT_EQ(p.sources[1].clock, static_cast<uint32_t>(wire::Clock::kEvent));
  EXPECT_EQ(p.sources[2].name, "slow calls");
  uint64_t time = 0, calls = 0;
  for (const profile::Sample& sample : p.samples) (sample.source == 0 ? time : calls) += sample.weight;
  EXPECT_EQ(time, 64'000'000u);
  EXPECT_EQ(calls, 10u);
}

TEST(TracedValues, OneThatIsNothingThroughoutIsNone) {
  profile::Profile none = testing::traced_profile();
  none.more_values = {0, 0, 0};
  EXPECT_EQ(by_traced_value(std::move(none)).sources.size(), 2u);
}

TEST(TracedValues, OtherProfilesAreAsTheyWere) {
  EXPECT_EQ(by_traced_value(testing::two_events()).samples.size(), testing::two_events().samples.size());
  const profile::Profile viewed = by_traced_value(profile::viewed(testing::traced_profile(), {0, 1}));
  EXPECT_EQ(viewed.sources.size(), 2u);
}

}  // namespace
}  // namespace walkabout::formats
