#include "profile/query/gauges.h"

#include <gtest/gtest.h>

#include <utility>

#include "profile/query/filter.h"
#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

Profile heap() {
  Profile p;
  p.frames = {{"Main", "", "", Kind::kManaged}, {"Collect", "", "", Kind::kManaged}};
  p.nodes = {{}, {0, 0}, {1, 1}};
  p.threads = {{"main", 1}, {"finalizer", 2}};
  wire::Source gc;
  gc.id = base::SourceId(7);
  gc.name = "gc";
  gc.values = {{"pause", "nanoseconds", wire::Adding::kSum},
               {"heap", "bytes", wire::Adding::kMax},
               {"large", "bytes", wire::Adding::kMax}};
  p.sources = {gc};
  const uint64_t measured[][4] = {
      {10, 5'000, 0, 0}, {20, 0, 300, 0}, {30, 0, 900, 7}, {40, 15'000, 0, 0}, {50, 0, 400, 8}};
  for (const auto& [time, pause, all, large] : measured) {
    Sample sample{time, pause};
    sample.node = time == 30 ? 2 : 1;
    sample.thread = time == 50 ? 1 : 0;
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

TEST(Gauges, AreInTheOrderOfTime) {
  Profile p = heap();
  std::swap(p.samples[1], p.samples[4]);
  const Gauges all = gauges(p, {0, 0});
  EXPECT_EQ(all.time_us, (std::vector<uint64_t>{20, 30, 50}));
  EXPECT_EQ(all.measured, (std::vector<uint64_t>{300, 0, 900, 7, 400, 8}));
}

std::vector<uint64_t> times_of(const Filter& filter) {
  base::Result<Profile> p = filtered(heap(), filter);
  EXPECT_TRUE(p.ok()) << p.message();
  return p.ok() ? p->gauges.time_us : std::vector<uint64_t>();
}

TEST(Gauges, FiltersChooseFromThemAsFromSamples) {
  EXPECT_EQ(times_of({.event = "gc", .from_us = 30, .to_us = 50}), std::vector<uint64_t>{30});
  EXPECT_EQ(times_of({.event = "gc", .thread = "finalizer"}), std::vector<uint64_t>{50});
  EXPECT_EQ(times_of({.event = "gc", .focus = "Collect"}), std::vector<uint64_t>{30});
  EXPECT_EQ(times_of({.event = "gc", .during = {"gc"}}), std::vector<uint64_t>{30});
}

TEST(Gauges, AViewOfAnyOfItsValuesHasThem) {
  EXPECT_EQ(viewed(heap(), {0, 0}).gauges.time_us.size(), 3u);
  EXPECT_EQ(viewed(heap(), {0, 2}).gauges.time_us.size(), 3u);
}

// What has neither the value nor a label only measured.
TEST(Gauges, AMeasurementIsNoPause) {
  const Profile pauses = viewed(heap(), {0, 0});
  ASSERT_EQ(pauses.samples.size(), 2u);
  EXPECT_EQ(pauses.samples[0].time_us, 10u);
  EXPECT_EQ(viewed(heap(), {0, 1}).samples.size(), 3u);
}

}  // namespace
}  // namespace walkabout::profile
