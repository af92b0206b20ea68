#include "profile/query/totals.h"

#include <gtest/gtest.h>

#include <map>

#include "profile/build/builder.h"
#include "profile/model/test_recording.h"
#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

using testing::TestRecording;

std::map<std::string, uint64_t> by_name(const Profile& p, const std::vector<Amount>& amounts) {
  std::map<std::string, uint64_t> out;
  for (size_t i = 0; i < amounts.size(); ++i) out[p.frames[i].name] = amounts[i].weight;
  return out;
}

TEST(Totals, SelfIsTheLeafTotalIsEverythingAboveIt) {
  Builder builder({});
  TestRecording emit(builder);
  const auto thread = emit.thread("t", 1);
  const auto a = emit.stack({emit.jitted("D", "A")});
  const auto b = emit.push(a, emit.jitted("D", "B"));
  const auto c = emit.push(a, emit.jitted("D", "C"));
  emit.sample(thread, 1, 1, a);
  emit.sample(thread, 2, 10, b);
  emit.sample(thread, 3, 100, c);
  emit.sample(thread, 4, 1000, b, wire::WalkEnd::kRooted, static_cast<uint8_t>(wire::SampleFlag::kInGc));
  const Profile p = builder.build("");
  const Totals totals = sum_up(p);
  EXPECT_EQ(totals.all.weight, 1111u);
  EXPECT_EQ(totals.all.samples, 4u);
  using Map = std::map<std::string, uint64_t>;
  EXPECT_EQ(by_name(p, totals.frame_self), (Map{{"D.A()", 1}, {"D.B()", 1010}, {"D.C()", 100}}));
  EXPECT_EQ(by_name(p, totals.frame_total), (Map{{"D.A()", 1111}, {"D.B()", 1010}, {"D.C()", 100}}));
  EXPECT_EQ(totals.activity[static_cast<size_t>(Activity::kGc)].weight, 1000u);
  EXPECT_EQ(totals.activity[static_cast<size_t>(Activity::kManaged)].samples, 3u);
}

TEST(Totals, RecursionCountsOnce) {
  Builder builder({});
  TestRecording emit(builder);
  const auto thread = emit.thread("t", 1);
  const wire::Frame a = emit.jitted("D", "A");
  const wire::Frame b = emit.jitted("D", "B");
  emit.sample(thread, 1, 1, emit.stack({a, b, a, b, a}));
  const Profile p = builder.build("");
  const Totals totals = sum_up(p);
  EXPECT_EQ(by_name(p, totals.frame_total), (std::map<std::string, uint64_t>{{"D.A()", 1}, {"D.B()", 1}}));
  EXPECT_EQ(by_name(p, totals.frame_self), (std::map<std::string, uint64_t>{{"D.A()", 1}, {"D.B()", 0}}));
}

TEST(Totals, DeepStacksDoNotRecurse) {
  Builder builder({});
  TestRecording emit(builder);
  const auto thread = emit.thread("t", 1);
  const wire::Frame a = emit.jitted("D", "A");
  base::StackId stack;
  for (int i = 0; i < 300'000; ++i) stack = emit.push(stack, a);
  emit.sample(thread, 1, 7, stack);
  const Profile p = builder.build("");
  EXPECT_EQ(sum_up(p).frame_total[0].weight, 7u);
}

TEST(Totals, OfAnEmptyProfileAreZero) {
  Builder builder({});
  const Totals totals = sum_up(builder.build(""));
  EXPECT_EQ(totals.all.samples, 0u);
  EXPECT_TRUE(heaviest(totals.frame_self, 10).empty());
}

// libc.so calls D.A, which calls libcoreclr.so.
Profile of_runtime(wire::Clock clock) {
  Builder builder({});
  wire::Source source = testing::wall_source();
  source.clock = static_cast<uint32_t>(clock);
  builder.on_source(source);
  TestRecording emit(builder);
  const auto thread = emit.thread("t", 1);
  const wire::Frame runtime = TestRecording::native(emit.module("/r/libcoreclr.so"), 16);
  const auto entry = emit.stack({TestRecording::native(emit.module("/l/libc.so"), 32)});
  const auto call = emit.push(emit.push(entry, emit.jitted("D", "A")), runtime);
  emit.wall(thread, 1, 10, call, wire::ThreadState::kRunning);
  const auto dispatch = emit.push(call, emit.jitted("System.Runtime.EH", "DispatchEx"));
  emit.wall(thread, 2, 100, emit.push(dispatch, runtime), wire::ThreadState::kRunning);
  emit.wall(thread, 3, 1000, emit.push(entry, runtime), wire::ThreadState::kRunning);
  const auto nobody = emit.push(entry, emit.jitted("System.Runtime.EH", "DispatchEx"));
  emit.wall(thread, 4, 10'000, emit.push(nobody, runtime), wire::ThreadState::kRunning);
  return viewed(builder.build(""), {0, 0});
}

TEST(Totals, WhatTheRuntimeRaisesIsOfTheMethodThatCalledIt) {
  const Profile p = of_runtime(wire::Clock::kEvent);
  using Map = std::map<std::string, uint64_t>;
  EXPECT_EQ(by_name(p, sum_up(p).frame_self), (Map{{"D.A()", 110},
                                                   {"[libcoreclr.so]", 11000},
                                                   {"[libc.so]", 0},
                                                   {"System.Runtime.EH.DispatchEx()", 0}}));
  EXPECT_EQ(by_name(p, sum_up(p).frame_total), (Map{{"D.A()", 110},
                                                    {"[libcoreclr.so]", 11110},
                                                    {"[libc.so]", 11110},
                                                    {"System.Runtime.EH.DispatchEx()", 10100}}));
}

TEST(Totals, WhereStacksWereCutOffEachFrameHasItsOwn) {
  Profile p = of_runtime(wire::Clock::kEvent);
  p.thinned.stacks = true;
  p.frames.push_back({"[rest]", "", "", Kind::kOther});
  p.thinned.rest = static_cast<uint32_t>(p.frames.size() - 1);
  EXPECT_EQ(by_name(p, sum_up(p).frame_self)["[libcoreclr.so]"], 11110u);
}

TEST(Totals, TimeOfTheRuntimeIsItsOwn) {
  const Profile p = of_runtime(wire::Clock::kWall);
  using Map = std::map<std::string, uint64_t>;
  EXPECT_EQ(by_name(p, sum_up(p).frame_self), (Map{{"D.A()", 0},
                                                   {"[libcoreclr.so]", 11110},
                                                   {"[libc.so]", 0},
                                                   {"System.Runtime.EH.DispatchEx()", 0}}));
}

TEST(Heaviest, SortsByWeightAndLeavesOutTheEmpty) {
  const std::vector<Amount> amounts{{5, 1}, {0, 0}, {9, 1}, {5, 2}, {0, 1}};
  EXPECT_EQ(heaviest(amounts, 3), (std::vector<uint32_t>{2, 3, 0}));
  EXPECT_EQ(heaviest(amounts, 10), (std::vector<uint32_t>{2, 3, 0, 4}));
}

}  // namespace
}  // namespace walkabout::profile
