#include "recording/trace_totals.h"

#include <gtest/gtest.h>

namespace walkabout::recording {
namespace {

wire::TraceTimes times(uint64_t time_us, uint32_t thread, std::vector<uint64_t> node,
                       std::vector<uint64_t> calls, std::vector<uint64_t> self) {
  wire::TraceTimes r;
  r.time_us = time_us;
  r.thread = base::ThreadId(thread);
  r.node = std::move(node);
  r.calls = std::move(calls);
  r.wall = r.self = std::move(self);
  return r;
}

TEST(TraceTotals, TheLastFiguresOfAThreadAndANodeCount) {
  TraceTotals totals;
  EXPECT_FALSE(totals.any());
  totals.add(wire::TraceNodes{{0, 1}, {3, 4}});
  totals.add(times(10, 1, {1, 2}, {1, 5}, {100, 50}));
  totals.add(times(20, 1, {2}, {9}, {90}));
  totals.add(times(20, 2, {2}, {1}, {7}));
  EXPECT_TRUE(totals.any());
  ASSERT_EQ(totals.nodes().size(), 3u);
  EXPECT_EQ(totals.nodes()[2].parent, 1u);
  EXPECT_EQ(totals.nodes()[2].method, 4u);
  ASSERT_EQ(totals.rows().size(), 3u);
  EXPECT_EQ(totals.rows()[1].figures.calls, 9u);
  EXPECT_EQ(totals.rows()[1].figures.self, 90u);
  EXPECT_EQ(totals.rows()[1].figures.cpu, 0u) << "a column that is not there is of zeros";
  const std::vector<TraceTotals::Change> changes = totals.take_changes();
  ASSERT_EQ(changes.size(), 4u);
  EXPECT_EQ(changes[2].time_us, 20u);
  EXPECT_EQ(changes[2].parts[0], 4u) << "more calls than before";
  EXPECT_EQ(changes[2].parts[1], 40u);
}

TEST(TraceTotals, WhatRefersToNothingIsLeftOut) {
  TraceTotals totals;
  totals.add(wire::TraceNodes{{5, 0}, {0, 1}});
  EXPECT_EQ(totals.left_out(), 1u);
  ASSERT_EQ(totals.nodes().size(), 3u) << "ids are places";
  EXPECT_EQ(totals.nodes()[1].parent, 0u);
  totals.add(times(1, 1, {0, 3, uint64_t{1} << 33}, {1, 1, 1}, {1, 1, 1}));
  EXPECT_TRUE(totals.rows().empty());
  wire::TracedCall call;
  call.node = 9;
  totals.add(call);
  EXPECT_TRUE(totals.calls().empty());
  totals.add(wire::TraceSpread{7, {1}, {1}});
  totals.add(wire::TraceSpread{2, {1, 1000}, {4, 5}});
  ASSERT_EQ(totals.spreads().size(), 1u);
  EXPECT_EQ(totals.spreads().at(2), (TraceTotals::Spread{{1, 4}}));
}

TEST(TraceTotals, ManyChangesArePutTogetherAndKeepTheirSum) {
  TraceTotals totals;
  totals.add(wire::TraceNodes{{0}, {0}});
  const uint64_t count = TraceTotals::kMostChanges + 10;
  for (uint64_t i = 1; i <= count; ++i) totals.add(times(i, 1, {1}, {i}, {2 * i}));
  const std::vector<TraceTotals::Change> changes = totals.take_changes();
  EXPECT_LE(changes.size(), TraceTotals::kMostChanges);
  uint64_t calls = 0;
  for (const TraceTotals::Change& change : changes) calls += change.parts[0];
  EXPECT_EQ(calls, count);
}

}  // namespace
}  // namespace walkabout::recording
