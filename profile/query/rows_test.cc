#include "profile/query/rows.h"

#include <gtest/gtest.h>

#include <tuple>

#include "profile/build/builder.h"
#include "profile/model/test_recording.h"
#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

using testing::TestRecording;
using testing::wall_source;
using wire::ThreadState;

constexpr View kCpu{0, 0};
constexpr View kWallView{1, 0};

// Two threads, two stacks, two events; the third event keeps the largest.
Profile three_events() {
  Builder builder({});
  builder.on_session({});
  builder.on_source(wire::cpu_source({}));
  builder.on_source(wall_source());
  wire::Source largest;
  largest.id = base::SourceId(3);
  largest.name = "alloc";
  largest.values = {{"bytes", "bytes", wire::Adding::kSum}, {"largest", "bytes", wire::Adding::kMax}};
  builder.on_source(largest);
  TestRecording emit(builder);
  const auto one = emit.thread("one", 1);
  const auto two = emit.thread("two", 2);
  const auto a = emit.stack({emit.jitted("D", "A")});
  const auto b = emit.push(a, emit.jitted("D", "B"));
  emit.sample(one, 10, 1, a);
  emit.sample(two, 20, 10, b);
  emit.sample(one, 30, 100, a, wire::WalkEnd::kRooted, static_cast<uint8_t>(wire::SampleFlag::kInGc));
  emit.wall(one, 15, 1'000, b, ThreadState::kBlocked, testing::kFutex);
  emit.wall(one, 25, 2'000, b, ThreadState::kBlocked, testing::kFutex);
  emit.wall(one, 35, 4'000, b, ThreadState::kRunning);
  builder.on_samples({one,
                      {40, 41},
                      {64, 32, 64, 32},
                      {a, a},
                      {wire::WalkEnd::kRooted, wire::WalkEnd::kRooted},
                      {0, 0},
                      largest.id,
                      {}});
  return builder.build("");
}

using Sums = std::vector<std::tuple<uint64_t, uint64_t>>;  // weight, samples
Sums sums(const std::vector<Row>& rows) {
  Sums out;
  for (const Row& row : rows) out.emplace_back(row.sum.weight, row.sum.samples);
  return out;
}

TEST(Rows, AreOfOneEventByStack) {
  const Profile p = three_events();
  EXPECT_EQ(sums(rows(p, {}, kCpu)), (Sums{{101, 2}, {10, 1}}));
  EXPECT_EQ(sums(rows(p, {}, kWallView)), (Sums{{7'000, 3}}));
}

TEST(Rows, KeepApartWhatIsRequested) {
  const Profile p = three_events();
  EXPECT_EQ(sums(rows(p, {.node = false}, kCpu)), (Sums{{111, 3}}));
  EXPECT_EQ(sums(rows(p, {.node = false, .thread = true}, kCpu)), (Sums{{101, 2}, {10, 1}}));
  EXPECT_EQ(sums(rows(p, {.node = false, .activity = true}, kCpu)), (Sums{{11, 2}, {100, 1}}));
  EXPECT_EQ(sums(rows(p, {.node = false, .labels = true}, kWallView)), (Sums{{3'000, 2}, {4'000, 1}}));
  EXPECT_EQ(sums(rows(p, {.bucket_us = 20, .node = false}, kCpu)), (Sums{{1, 1}, {110, 2}}));
}

TEST(Rows, CountANodeAsAnother) {
  const Profile p = three_events();
  const std::vector<uint32_t> all_one(p.nodes.size(), 0);
  EXPECT_EQ(sums(rows(p, {.node_of = &all_one}, kCpu)), (Sums{{111, 3}}));
}

TEST(Rows, AddUpAsTheValueIsDeclared) {
  const Profile p = three_events();
  EXPECT_EQ(sums(rows(p, {}, {2, 0})), (Sums{{96, 2}}));
  EXPECT_EQ(sums(rows(p, {}, {2, 1})), (Sums{{64, 2}}));
}

TEST(Rows, OfAllEventsStayApart) {
  const Profile p = three_events();
  const std::vector<Row> all = rows_of_all(p, {.node = false});
  EXPECT_EQ(sums(all), (Sums{{111, 3}, {7'000, 3}, {96, 2}}));
  EXPECT_EQ(all[1].source, 1);
}

TEST(Rows, InLongerBucketsHaveTheSameSums) {
  const Profile p = three_events();
  std::vector<Row> rows = rows_of_all(p, {.bucket_us = 10, .thread = true, .labels = true});
  for (int i = 0; i < 4; ++i) rows = in_longer_buckets(p, std::move(rows));
  EXPECT_EQ(sums(rows), sums(rows_of_all(p, {.thread = true, .labels = true})));
}

TEST(Rows, OfAViewAreOfItsValue) {
  const Profile p = viewed(three_events(), {2, 1});
  EXPECT_EQ(sums(rows(p, {}, view_of(p))), (Sums{{64, 2}}));
  EXPECT_EQ(sums(rows_of_all(p, {})), (Sums{{64, 2}}));
}

TEST(Rows, ManyStayApart) {
  Profile p;
  p.threads.resize(1);
  p.nodes.resize(10'000);
  for (uint64_t i = 0; i < 30'000; ++i) p.samples.push_back({i, 1, 0, static_cast<uint32_t>(i % 10'000)});
  const std::vector<Row> all = rows(p, {}, kCpu);
  ASSERT_EQ(all.size(), 10'000u);
  for (uint32_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i].node, i);
    ASSERT_EQ(all[i].sum.samples, 3u);
  }
}

}  // namespace
}  // namespace walkabout::profile
