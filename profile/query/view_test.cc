#include "profile/query/view.h"

#include <gtest/gtest.h>

#include "profile/build/builder.h"
#include "profile/model/test_recording.h"
#include "profile/model/test_stacks.h"
#include "profile/query/filter.h"

namespace walkabout::profile {
namespace {

using testing::lines;
using testing::TestRecording;

constexpr base::SourceId kAllocations(2);

wire::Samples allocation(base::ThreadId thread, uint64_t time_us, std::vector<uint64_t> values,
                         base::StackId stack, uint64_t label) {
  wire::Samples r;
  r.thread = thread;
  r.source = kAllocations;
  r.time_us = {time_us};
  r.values = std::move(values);
  r.stack = {stack};
  r.end = {wire::WalkEnd::kRooted};
  r.flags = {0};
  r.labels = {label};
  return r;
}

// CPU time and allocations (bytes, and the largest) of one thread in Demo.Main().
Profile two_events(BuildOptions options = {}) {
  Builder builder(std::move(options));
  builder.on_session({});
  builder.on_source(wire::cpu_source({}));
  wire::Source source;
  source.id = kAllocations;
  source.name = "alloc";
  source.values = {{"bytes", "bytes", wire::Adding::kSum}, {"largest", "bytes", wire::Adding::kMax}};
  source.labels = {{"kind", 0}};
  builder.on_source(source);
  TestRecording emit(builder);
  const auto thread = emit.thread("main", 1);
  const auto stack = emit.stack({emit.jitted("Demo", "Main")});
  emit.sample(thread, 100, 10, stack);
  builder.on_samples(allocation(thread, 150, {64, 40}, stack, 7));
  builder.on_samples(allocation(thread, 160, {32, 30}, stack, 7));
  builder.on_samples(allocation(thread, 170, {16, 16}, stack, 8));
  emit.sample(thread, 200, 20, stack);
  builder.on_thread_end({thread, 500, 5});
  return builder.build("");
}

std::string lines_of(const std::string& event, const std::string& value) {
  Filter filter;
  filter.event = event;
  filter.value = value;
  const base::Result<Profile> p = filtered(two_events(), filter);
  return p.ok() ? lines(*p) : p.message();
}

TEST(View, ShowsCpuTimeByDefault) {
  EXPECT_EQ(lines_of("", ""), lines_of("cpu", "cpu time"));
  EXPECT_EQ(lines_of("", ""), "main 100 10 managed Demo.Main()\nmain 200 25 managed Demo.Main()\n");
}

TEST(View, ShowsOneEventAndOneOfItsValues) {
  EXPECT_EQ(lines_of("alloc", ""),
            "main 150 64 managed Demo.Main()\nmain 160 32 managed Demo.Main()\nmain 170 16 managed "
            "Demo.Main()\n");
  EXPECT_EQ(lines_of("alloc", "largest"),
            "main 150 40 managed Demo.Main()\nmain 160 30 managed Demo.Main()\nmain 170 16 managed "
            "Demo.Main()\n");
}

TEST(View, CountsWhatItShows) {
  Filter filter;
  filter.event = "alloc";
  const base::Result<Profile> p = filtered(two_events(), filter);
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(p->total_weight, 112u);
  EXPECT_EQ(p->threads[0].samples, 3u);
  EXPECT_EQ(p->threads[0].weight, 112u);
  EXPECT_EQ(viewed_value(*p).unit, "bytes");
  EXPECT_EQ(p->label_sets[p->samples[0].labels], std::vector<uint64_t>{7});
  EXPECT_EQ(p->samples[0].labels, p->samples[1].labels);
  EXPECT_NE(p->samples[0].labels, p->samples[2].labels);
}

TEST(View, OfBothTheAmountsAreCpuTime) {
  const Profile p = two_events();
  EXPECT_EQ(p.total_weight, 35u);
  EXPECT_EQ(p.threads[0].samples, 2u);
  EXPECT_EQ(p.samples.size(), 5u);
}

TEST(View, SamplesOfAnotherValueAreLeftOut) {
  Profile p = two_events();
  p.more_values[p.samples[2].more] = 0;
  const Profile largest = viewed(p, *find_view(p, "alloc", "largest"));
  EXPECT_EQ(largest.samples.size(), 2u);
  EXPECT_EQ(largest.threads[0].samples, 2u);
  EXPECT_EQ(viewed(p, *find_view(p, "alloc", "")).samples.size(), 3u);
  p.sources[1].period = 100;
  EXPECT_EQ(viewed(p, *find_view(p, "alloc", "largest")).samples.size(), 3u) << "rounded to nothing";
}

TEST(View, ReportsWhatThereIs) {
  EXPECT_EQ(lines_of("wall", ""), "the recording has no event 'wall'; it has: cpu, alloc");
  EXPECT_EQ(lines_of("alloc", "smallest"),
            "the event 'alloc' has no value 'smallest'; it has: bytes, largest");
}

TEST(View, HoldsNothingElseWhereItIsKnownBefore) {
  BuildOptions options;
  options.filter.event = "alloc";
  const Profile p = two_events(options);
  EXPECT_EQ(p.samples.size(), 3u);
  EXPECT_EQ(lines(viewed(p, *find_view(p, "alloc", "largest"))), lines_of("alloc", "largest"));
}

// What becomes one adds up as the source says; other labels are kept apart.
TEST(View, EqualSamplesBecomeOne) {
  BuildOptions options;
  options.bounds.samples = 2;
  options.in_time_order = false;
  options.filter.event = "alloc";
  const Profile p = two_events(options);
  ASSERT_EQ(p.samples.size(), 2u);
  EXPECT_EQ(p.samples[0].weight, 96u);
  EXPECT_EQ(value_of(p, p.samples[0], 1), 40u);
  EXPECT_EQ(value_of(p, p.samples[1], 1), 16u);
}

}  // namespace
}  // namespace walkabout::profile
