#include "profile/build/traces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "profile/build/merge.h"
#include "profile/model/test_stacks.h"
#include "profile/model/test_trace.h"
#include "profile/query/folding.h"
#include "profile/query/totals.h"
#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

using ::testing::ElementsAre;

Profile traced(BuildOptions options = {}) {
  TracedBuilder builder(std::move(options));
  testing::emit_trace(builder);
  return builder.build_all("");
}

const TracedMethod& method_of(const Traces& traces, const std::string& match) {
  for (const TracedMethod& method : traces.methods) {
    if (method.match == match) return method;
  }
  ADD_FAILURE() << "no method " << match;
  return traces.methods.front();
}

TEST(Traces, TimesAreWithoutTheProbes) {
  const Profile p = traced();
  ASSERT_EQ(p.traces.size(), 1u);
  const CallFigures& query = method_of(p.traces[0], "Shop.Db.Query").figures;
  EXPECT_EQ(query.calls, 25u);
  EXPECT_EQ(query.raw_self, 410'000'000u);
  EXPECT_EQ(query.self, 410'000'000u - 25 * 15) << "of each call its own probe's part";
  const CallFigures& checkout = p.traces[0].nodes[2].figures;
  EXPECT_EQ(checkout.self, 200'000'000u - 20 * 15 - 40 * 10) << "and its callees' part";
  EXPECT_EQ(checkout.total,
            checkout.self + p.traces[0].nodes[3].figures.total + p.traces[0].nodes[4].figures.total);
}

TEST(Traces, RecursionCountsOnceInATotal) {
  const Profile p = traced();
  const CallFigures& sum = method_of(p.traces[0], "Shop.Cart.Sum").figures;
  EXPECT_EQ(sum.calls, 40u);
  EXPECT_EQ(sum.total, p.traces[0].nodes[4].figures.total);
  EXPECT_EQ(sum.raw_self, 200'000'000u);
  EXPECT_EQ(sum.raw_total, 200'000'000u);
}

TEST(Traces, DurationsComeFromTheSpreads) {
  const Profile p = traced();
  const CallFigures& query = p.traces[0].nodes[3].figures;
  EXPECT_EQ(query.least, 9'000'000u - 15);
  EXPECT_EQ(query.most, 50'000'000u - 15);
  EXPECT_NEAR(static_cast<double>(query.median), 20e6, 20e6 * 0.0625);
  EXPECT_NEAR(static_cast<double>(query.p99), 50e6, 50e6 * 0.0625);
  const CallFigures& all = method_of(p.traces[0], "Shop.Db.Query").figures;
  EXPECT_EQ(all.least, 1'000'000u - 15) << "of all its nodes";
}

TEST(Traces, AMethodThatLostItsTimesCostsNothing) {
  const Profile p = traced();
  const TracedMethod& price = method_of(p.traces[0], "Shop.Item.get_Price");
  EXPECT_TRUE(price.untimed);
  EXPECT_EQ(price.figures.calls, 1'000'000u);
  EXPECT_EQ(p.traces[0].nodes[4].figures.self, 150'000'000u - 20 * 15 - 20 * 10)
      << "nothing of a million calls that were only counted";
}

TEST(Traces, SlowCallsHaveTheirStackAndAreByBegin) {
  const Profile p = traced();
  const std::vector<SlowCall>& calls = p.traces[0].calls;
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].number, 1u);
  EXPECT_EQ(arguments_text(calls[0]), "id: 42");
  EXPECT_EQ(result_text(calls[0]), "System.TimeoutException: no answer");
  EXPECT_EQ(testing::path(p, calls[0].stack), "Shop.Program.Main()");
  EXPECT_EQ(calls[1].caller, 1u);
  EXPECT_EQ(arguments_text(calls[1]), "sql: \"SELECT * FROM orders…");
  EXPECT_EQ(testing::path(p, calls[1].stack), "Shop.Program.Main();Shop.Cart.Checkout()");
  EXPECT_EQ(calls[2].stack, 0u) << "none was taken";
  EXPECT_EQ(p.threads[calls[2].ended_in].name, "main");
}

TEST(Traces, AreASourceOfTheProfile) {
  const Profile p = traced();
  ASSERT_EQ(p.sources.size(), 2u);
  EXPECT_EQ(p.sources[0].name, "trace");
  EXPECT_EQ(p.sources[0].period, 500'000'000u);
  uint64_t self = 0, calls = 0;
  for (const Sample& sample : p.samples) {
    if (sample.source != 0) continue;
    self += sample.weight;
    calls += value_of(p, sample, 2);
  }
  EXPECT_EQ(self, p.traces[0].all_self());
  EXPECT_EQ(calls, p.traces[0].all_calls());
  EXPECT_EQ(p.total_weight, self);
  const Totals totals = sum_up(viewed(p, {0, 0}));
  const TracedNode& checkout = p.traces[0].nodes[2];
  EXPECT_EQ(totals.node_total[checkout.node].weight, checkout.figures.total);
  EXPECT_EQ(testing::path(p, checkout.node), "Shop.Program.Main(string[]);Shop.Cart.Checkout(int)");
}

TEST(Traces, AFilterChoosesFromTheirSamples) {
  const auto nodes = [](const Profile& p) {
    std::vector<std::string> out;
    for (const Sample& sample : p.samples) {
      if (p.sources[sample.source].id == kTracedSource) out.push_back(testing::path(p, sample.node));
    }
    return out;
  };
  EXPECT_EQ(nodes(traced({.filter = {.to_us = 600'000}})).size(), 2u);
  EXPECT_THAT(nodes(traced({.filter = {.focus = "Load"}})),
              ElementsAre("Shop.Orders.Load(int)", "Shop.Orders.Load(int);Shop.Db.Query(string)"));
  EXPECT_TRUE(nodes(traced({.filter = {.event = "call"}})).empty());
}

TEST(Traces, AMethodThatWasNeverDeclaredHasAName) {
  TracedBuilder builder(BuildOptions{});
  builder.on_session({});
  builder.on_trace_nodes({{0}, {7}});
  builder.on_trace_times(testing::trace_times(base::ThreadId(1), 5, {{1, 1, 10, 10, 0, 0, 10, 10}}));
  const Profile p = builder.build_all("");
  ASSERT_EQ(p.traces[0].methods.size(), 1u);
  EXPECT_EQ(testing::path(p, p.samples.at(0).node), "[methods without a name]");
}

TEST(Traces, ARecordingThatWasToHaveThemSaysWhatWasChosen) {
  TracedBuilder builder(BuildOptions{});
  builder.on_session({});
  builder.on_source(testing::slow_call_source());
  builder.on_call_pattern({0, "Shpo.*", 0, "Shop.Cart"});
  const Profile p = builder.build_all("");
  ASSERT_EQ(p.traces.size(), 1u);
  EXPECT_EQ(p.traces[0].all_calls(), 0u);
  EXPECT_EQ(p.traces[0].patterns[0].similar, "Shop.Cart");
}

TEST(Traces, OfSeveralProcessesEachHasItsOwn) {
  Profile second = traced();
  second.session.pid = 4712;
  second.session.monotonic_start_ns = 5'000;
  Merger merger;
  merger.add(traced(), "shop");
  merger.add(std::move(second), "worker");
  const Profile p = merger.take(true);
  ASSERT_EQ(p.traces.size(), 2u);
  EXPECT_EQ(p.sources[0].name, "trace");
  for (const Traces& traces : p.traces) {
    const std::string process = &traces == &p.traces[0] ? "shop (pid 4711)" : "worker (pid 4712)";
    EXPECT_EQ(testing::path(p, traces.nodes[2].node),
              process + ";Shop.Program.Main(string[]);Shop.Cart.Checkout(int)");
    EXPECT_EQ(testing::path(p, traces.calls[0].stack), process + ";Shop.Program.Main()");
    EXPECT_EQ(p.frames[traces.methods[1].frame].name, "Shop.Cart.Checkout(int)");
  }
  EXPECT_EQ(p.traces[1].calls[0].begin_ns, 100'005'000u);
  EXPECT_EQ(p.threads[p.traces[1].calls[0].thread].name, "main · worker (pid 4712)");
}

TEST(Traces, FoldedFramesTakeThemAlong) {
  Profile whole = traced();
  for (DisplayFrame& frame : whole.frames) {
    if (frame.name == "Shop.Cart.Checkout(int)") frame.origin = Origin::kFramework;
  }
  const Profile p = folded(std::move(whole), Folding::kMyCode);
  const Traces& traces = p.traces[0];
  EXPECT_EQ(testing::path(p, traces.nodes[1].node), "Shop.Program.Main(string[])");
  EXPECT_EQ(p.nodes[traces.nodes[3].node].parent, traces.nodes[2].node);
  EXPECT_EQ(p.frames[p.nodes[traces.nodes[2].node].frame].name, "(shop)");
}

TEST(Traces, ARecordingWithoutThemHasNone) {
  TracedBuilder builder(BuildOptions{});
  builder.on_session({});
  EXPECT_TRUE(builder.build_all("").traces.empty());
}

}  // namespace
}  // namespace walkabout::profile
