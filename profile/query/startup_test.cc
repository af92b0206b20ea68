#include "profile/query/startup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;  // nanoseconds

class StartupTest : public ::testing::Test {
 protected:
  StartupTest() {
    profile_.session.pid = 1;
    profile_.frames = {{"Main", "", "", Kind::kManaged}, {"[libclrjit.so]", "", "", Kind::kRuntime}};
    profile_.nodes = {{}, {0, 0}, {1, 1}};
    profile_.threads = {{"worker", 2}, {"main", 1}};
    profile_.duration_us = 1'000'000;
    profile_.texts = {"tier-0", "Demo.Run()", "tier-1", "type", "assembly", "Demo", "List`1[System.Int32]"};
    const auto declare = [this](const char* name, std::vector<wire::SourceValue> values,
                                std::vector<std::pair<const char*, wire::LabelType>> labels) {
      wire::Source source;
      source.id = base::SourceId(static_cast<uint32_t>(profile_.sources.size() + 1));
      source.name = name;
      source.values = std::move(values);
      for (const auto& [label, type] : labels) source.labels.push_back({label, static_cast<uint32_t>(type)});
      profile_.sources.push_back(source);
    };
    const std::string ns = "nanoseconds";
    const auto text = wire::LabelType::kText;
    declare("cpu", {{"cpu time", ns}}, {});
    declare("jit", {{"compile time", ns}, {"methods", "count"}, {"code", "bytes"}, {"IL", "bytes"}},
            {{"tier", text}, {"method", text}});
    declare("loads", {{"loads", "count"}, {"load time", ns}},
            {{"kind", text}, {"name", wire::LabelType::kType}});
    declare("wall", {{"wall time", ns}}, {{"state", wire::LabelType::kThreadState}});
  }
  void add(uint8_t source, uint64_t time_us, std::vector<uint64_t> values, std::vector<uint64_t> labels = {},
           uint32_t thread = 1, wire::WalkEnd end = wire::WalkEnd::kRooted) {
    Sample sample{time_us, values[0], thread, 2, end, Activity::kJit};
    sample.source = source;
    sample.more = static_cast<uint32_t>(profile_.more_values.size());
    profile_.more_values.insert(profile_.more_values.end(), values.begin() + 1, values.end());
    if (!labels.empty()) {
      sample.labels = static_cast<uint32_t>(profile_.label_sets.size());
      profile_.label_sets.push_back(std::move(labels));
    }
    profile_.samples.push_back(sample);
  }
  Startup startup_of(uint64_t end_us, size_t most = 10) {
    const base::Result<Startup> result = startup(profile_, end_us, most);
    EXPECT_TRUE(result.ok()) << result.message();
    return result.ok() ? *result : Startup();
  }

  Profile profile_;
};

TEST_F(StartupTest, CompilesAreOfTheirTierAndHaveWhoAskedForThem) {
  add(1, 1000, {5 * kMillisecond, 1, 100, 50}, {1, 2});
  add(1, 2000, {2 * kMillisecond, 1, 40, 20}, {3, 2});
  add(1, 3000, {9 * kMillisecond, 30, 400, 200}, {1, 0}, 1, wire::WalkEnd::kNotWalked);
  add(1, 900'000, {7 * kMillisecond, 1, 10, 10}, {1, 2});  // later
  const Startup s = startup_of(500'000);
  ASSERT_TRUE(s.compiles.has_value());
  EXPECT_EQ(s.compiles->count, 32u);
  EXPECT_EQ(s.compiles->ns, 16 * kMillisecond);
  EXPECT_EQ(s.compiles->code_bytes, 540u);
  EXPECT_EQ(s.compiles->il_bytes, 270u);
  ASSERT_EQ(s.compiles->tiers.size(), 2u);
  EXPECT_EQ(s.compiles->tiers[0].name, "tier-0");
  EXPECT_EQ(s.compiles->tiers[0].sums.count, 31u);
  ASSERT_EQ(s.compiles->longest.size(), 2u) << "a sum is no method";
  EXPECT_EQ(s.compiles->longest[0].name, "Demo.Run()");
  EXPECT_EQ(s.compiles->longest[0].caller, 0u) << "the managed frame, not the compiler";
  EXPECT_EQ(s.summed, 1u);
}

TEST_F(StartupTest, LoadsAreOfTypesAndAssemblies) {
  add(2, 5000, {1, 0}, {5, 6});
  add(2, 1000, {1, 3 * kMillisecond}, {4, 7});
  add(2, 2000, {1, 1 * kMillisecond}, {4, 7});
  const Startup s = startup_of(1'000'000, 1);
  EXPECT_EQ(s.loads->types.count, 2u);
  EXPECT_EQ(s.loads->types.ns, 4 * kMillisecond);
  ASSERT_EQ(s.loads->assemblies.size(), 1u);
  EXPECT_EQ(s.loads->assemblies[0].name, "Demo");
  ASSERT_EQ(s.loads->longest.size(), 1u) << "as many as were asked for";
  EXPECT_EQ(s.loads->longest[0].ns, 3 * kMillisecond);
  EXPECT_EQ(s.loads->longest[0].name, "List<int>");
}

TEST_F(StartupTest, PartsHaveWhatFellIntoThem) {
  add(0, 10'000, {4 * kMillisecond});
  add(0, 950'000, {6 * kMillisecond});
  add(1, 150'000, {5 * kMillisecond, 1, 1, 1}, {1, 2});
  const Startup s = startup_of(1'000'000);
  ASSERT_EQ(s.parts.size(), kStartupParts);
  const auto jit = static_cast<size_t>(Activity::kJit);
  EXPECT_EQ(s.parts[0].cpu_ns[jit], 4 * kMillisecond);
  EXPECT_EQ(s.parts[9].cpu_ns[jit], 6 * kMillisecond);
  EXPECT_EQ(s.parts[1].compile_ns, 5 * kMillisecond);
  EXPECT_EQ((*s.cpu_ns)[jit], 10 * kMillisecond);
  EXPECT_EQ(s.parts[9].end_us, 1'000'000u);
}

TEST_F(StartupTest, TheFirstThreadsStatesAreItsOwn) {
  add(3, 10'000, {3 * kMillisecond}, {static_cast<uint64_t>(wire::ThreadState::kBlocked)});
  add(3, 10'000, {8 * kMillisecond}, {static_cast<uint64_t>(wire::ThreadState::kBlocked)}, 0);
  const Startup s = startup_of(1'000'000);
  EXPECT_EQ((*s.main_ns)[static_cast<size_t>(wire::ThreadState::kBlocked)], 3 * kMillisecond);
}

// A sample is about the time before it.
TEST_F(StartupTest, OfTheFirstThreadTheTimeUpToTheEndCounts) {
  profile_.duration_us = 10'000'000;
  const auto blocked = static_cast<uint64_t>(wire::ThreadState::kBlocked);
  add(3, 400'000, {500 * kMillisecond}, {blocked});     // the agent came later than the thread
  add(3, 2'400'000, {2000 * kMillisecond}, {blocked});  // the end is in it
  add(3, 4'400'000, {2000 * kMillisecond}, {blocked});  // behind it
  EXPECT_EQ((*startup_of(1'000'000).main_ns)[blocked], 1000 * kMillisecond);
}

TEST_F(StartupTest, OnlySumsOfEventsAreSums) {
  const auto end = wire::WalkEnd::kNotWalked;
  add(1, 1000, {9 * kMillisecond, 30, 400, 200}, {1, 0}, 1, end);
  add(1, 1000, {9 * kMillisecond, 0, 0, 0}, {1, 0}, 1, end);
  add(3, 10'000, {3 * kMillisecond}, {1}, 1, end);
  EXPECT_EQ(startup_of(1'000'000).summed, 1u);
}

TEST_F(StartupTest, WhatWasNotRecordedIsNotShown) {
  profile_.sources.resize(1);
  const Startup s = startup_of(1'000'000);
  EXPECT_FALSE(s.compiles || s.loads || s.main_ns || s.pauses || s.exceptions || s.locks || s.waits);
}

TEST_F(StartupTest, WhatTheRuntimeCouldNotGiveIsNotShown) {
  profile_.messages.push_back(
      {0, wire::Severity::kWarning, "jit is not recorded: this runtime has no such events"});
  const Startup s = startup_of(1'000'000);
  EXPECT_FALSE(s.compiles.has_value());
  EXPECT_TRUE(s.loads.has_value());
}

TEST_F(StartupTest, AnAttachedRecordingHasNoStart) {
  profile_.session.attached = true;
  const base::Result<Startup> result = startup(profile_, 1'000'000, 10);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.message(), ::testing::HasSubstr("run --events all"));
}

}  // namespace
}  // namespace walkabout::profile
