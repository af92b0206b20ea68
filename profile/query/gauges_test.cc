#include "profile/query/gauges.h"

#include <gtest/gtest.h>

#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

Profile heap() {
  Profile p;
  p.frames = {{"Main", "", "", Kind::kManaged}};
  p.nodes = {{}, {0, 0}};
  p.threads = {{"main", 1}};
  wire::Source gc;
  gc.id = base::SourceId(7);
  gc.name = "gc";
  gc.values = {{"pause", "nanoseconds", wire::Adding::kSum},
               {"heap", "bytes", wire::Adding::kMax},
               {"large", "bytes", wire::Adding::kMax}};
  p.sources = {gc};
  const uint64_t measured[][4] = {
      {10, 5, 0, 0}, {20, 0, 300, 0}, {30, 0, 900, 7}, {40, 6, 0, 0}, {50, 0, 400, 8}};
  for (const auto& [time, pause, all, large] : measured) {
    Sample sample{1, pause};
    sample.time_us = time;
    sample.more = static_cast<uint32_t>(p.more_values.size());
    p.more_values.insert(p.more_values.end(), {all, large});
    p.samples.push_back(sample);
  }
  return p;
}

TEST(Gauges, HasEachTimeThatTheyWereMeasured) {
  const Gauges all = gauges(heap(), {0, 0});
  ASSERT_EQ(all.values.size(), 2u);
  EXPECT_EQ(all.values[0].name, "heap");
  EXPECT_EQ(all.time_us, (std::vector<uint64_t>{20, 30, 50})) << "pauses measured nothing";
  EXPECT_EQ(all.measured, (std::vector<uint64_t>{300, 0, 900, 7, 400, 8}));
  const GaugeRange range = range_of(all, 0);
  EXPECT_EQ(range.first, 300u);
  EXPECT_EQ(range.last, 400u);
  EXPECT_EQ(range.least, 300u);
  EXPECT_EQ(range.most, 900u);
  EXPECT_EQ(range.most_us, 30u);
}

TEST(Gauges, OnlyThoseOfARangeOfTime) {
  Gauges all = gauges(heap(), {0, 0});
  keep_between(30, 50, all);
  EXPECT_EQ(all.time_us, std::vector<uint64_t>{30});
  EXPECT_EQ(all.measured, (std::vector<uint64_t>{900, 7}));
  keep_between(0, 30, all);
  EXPECT_TRUE(all.time_us.empty());
}

TEST(Gauges, AViewOfAnyOfItsValuesHasThem) {
  EXPECT_EQ(viewed(heap(), {0, 0}).gauges.time_us.size(), 3u);
  EXPECT_EQ(viewed(heap(), {0, 2}).gauges.time_us.size(), 3u);
}

}  // namespace
}  // namespace walkabout::profile
