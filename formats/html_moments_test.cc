#include "formats/html_moments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/test_profile.h"

namespace walkabout::formats {
namespace {

using profile::Profile;

class HtmlMomentsTest : public ::testing::Test {
 protected:
  HtmlMomentsTest() : profile_(testing::small_profile()) {
    wire::Source gc, throws, alloc;
    gc.name = "gc";
    gc.values = {{"pause", "nanoseconds", wire::Adding::kSum}, {"heap", "bytes", wire::Adding::kMax}};
    throws.name = "exceptions";
    throws.values = {{"exceptions", "count", wire::Adding::kSum}};
    alloc.name = "alloc";
    alloc.values = {{"allocated", "bytes", wire::Adding::kSum}};
    for (wire::Source* source : {&gc, &throws, &alloc})
      source->clock = static_cast<uint32_t>(wire::Clock::kEvent);
    profile_.sources = {wire::cpu_source(profile_.session), gc, throws, alloc};
  }
  void add(uint8_t source, uint64_t time_us, uint64_t value, wire::WalkEnd end = wire::WalkEnd::kRooted) {
    profile::Sample sample{time_us, value, 0, 2, end, profile::Activity::kManaged};
    sample.source = source;
    sample.more = static_cast<uint32_t>(profile_.more_values.size());
    if (source == 1) profile_.more_values.push_back(0);
    profile_.samples.push_back(sample);
  }
  std::vector<uint64_t> times(const HtmlMoments& moments) {
    std::vector<uint64_t> out;
    for (const HtmlMoment& moment : moments.all) out.push_back(moment.time_us);
    return out;
  }

  Profile profile_;
};

TEST_F(HtmlMomentsTest, EachEventHasItsEndAndHowLongItTook) {
  add(1, 5000, 2'000'000);
  add(2, 3000, 1);
  add(3, 4000, 100);
  add(1, 6000, 0);  // the heap was measured
  const HtmlMoments moments = html_moments(profile_);
  EXPECT_EQ(times(moments), (std::vector<uint64_t>{3000, 5000})) << "bytes have no lane";
  EXPECT_EQ(moments.all[0].took_us, 0u);
  EXPECT_EQ(moments.all[1].took_us, 2000u);
  ASSERT_EQ(moments.lanes.size(), 2u);
  EXPECT_EQ(moments.lanes[moments.all[1].lane].source, 1);
}

TEST_F(HtmlMomentsTest, OfManyTheLongestAreShown) {
  for (uint64_t i = 1; i <= 5; ++i) add(1, i * 1000, i * 1'000'000);
  const HtmlMoments moments = html_moments(profile_, 2);
  EXPECT_EQ(times(moments), (std::vector<uint64_t>{4000, 5000}));
  EXPECT_EQ(moments.lanes[0].shown, 2u);
  EXPECT_EQ(moments.lanes[0].left_out, 3u);
}

TEST_F(HtmlMomentsTest, TheLongestAreFoundWhereverTheyAre) {
  for (uint64_t i = 0; i < 100; ++i) add(1, i * 1000, (i * 37 % 100 + 1) * 1'000'000);
  const HtmlMoments moments = html_moments(profile_, 3);
  std::vector<uint64_t> took;
  for (const HtmlMoment& moment : moments.all) took.push_back(moment.took_us / 1000);
  EXPECT_THAT(took, ::testing::UnorderedElementsAre(98, 99, 100));
  EXPECT_EQ(moments.lanes[0].left_out, 97u);
}

TEST_F(HtmlMomentsTest, OfManyWithoutALengthSomeAreShownEvenly) {
  for (uint64_t i = 0; i < 6; ++i) add(2, i * 1000, 1);
  EXPECT_EQ(times(html_moments(profile_, 3)), (std::vector<uint64_t>{0, 2000, 4000}));
}

TEST_F(HtmlMomentsTest, SumsHaveNoMoment) {
  add(2, 1000, 1);
  add(2, 2000, 70, wire::WalkEnd::kNotWalked);
  const HtmlMoments moments = html_moments(profile_);
  EXPECT_EQ(moments.all.size(), 1u);
  EXPECT_EQ(moments.lanes[0].sums, 1u);
}

TEST_F(HtmlMomentsTest, SumsAloneHaveALane) {
  add(2, 2000, 70, wire::WalkEnd::kNotWalked);
  const HtmlMoments moments = html_moments(profile_);
  EXPECT_TRUE(moments.all.empty());
  ASSERT_EQ(moments.lanes.size(), 1u);
  EXPECT_EQ(moments.lanes[0].shown, 0u);
  EXPECT_EQ(moments.lanes[0].sums, 1u);
}

}  // namespace
}  // namespace walkabout::formats
