#include "agent/sources/chosen_sources.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "agent/sources/test_source.h"
#include "clr/events/keywords.h"

namespace walkabout::agent {
namespace {

struct NeedySource : Source {
  bool starts = true;
  std::string refused;
  uint64_t period_ns = 0;  // as it was started with
  wire::Source declaration(uint64_t) const override { return {}; }
  SourceNeeds needs(uint32_t runtime) const override { return {0, 0, runtime, clr::kInformational}; }
  std::string refusal(bool, bool) const override { return refused; }
  base::Status start(const SourceContext& context) override {
    period_ns = context.period_ns;
    return starts ? base::Status() : base::Status::error("it cannot");
  }
  void stop() override {}
};

NeedySource& add_source(std::vector<ChosenSource>& sources, uint64_t period_ns = 0) {
  auto source = std::make_unique<NeedySource>();
  NeedySource& added = *source;
  sources.push_back({{wire::source_id("locks"), period_ns}, std::move(source)});
  return added;
}

TEST(ChosenSources, WhatTheyNeedIsThatOfAllForThisRuntime) {
  std::vector<ChosenSource> sources;
  add_source(sources);
  const RuntimeNeeds needs = needs_of(sources, {1, 2, 4, clr::kInformational}, 8);
  EXPECT_EQ(needs.callbacks, 1u);
  EXPECT_EQ(needs.high_callbacks, 2u);
  EXPECT_EQ(needs.keywords, (std::map<uint32_t, uint64_t>{{clr::kInformational, 4 | 8}}));
}

TEST(ChosenSources, TheFirstRefusalIsThatOfAll) {
  std::vector<ChosenSource> sources;
  add_source(sources);
  EXPECT_EQ(refusal_of(sources, false, false), "");
  add_source(sources).refused = "not here";
  EXPECT_EQ(refusal_of(sources, false, false), "not here");
}

TEST(ChosenSources, OneThatCannotStartIsLeftOutUnlessItIsAlone) {
  testing::SourceWorld world;
  std::vector<ChosenSource> sources;
  add_source(sources, 5).starts = false;
  EXPECT_FALSE(start_sources(sources, world.context()).ok());
  NeedySource& other = add_source(sources, 7);
  EXPECT_TRUE(start_sources(sources, world.context()).ok());
  EXPECT_EQ(other.period_ns, 7u);
}

TEST(ChosenSources, SumsAreForSourcesOfEventsAlone) {
  testing::TickWorld world(testing::engines().front());
  TextTable texts;
  Tally tally;
  std::string problem;
  const auto kept = [&](std::string_view name) {
    const auto sources = make_sources(*wire::parse_events(name));
    return keep_in(world.rings, declarations(sources), texts, tally, &problem);
  };
  EXPECT_EQ(kept("cpu"), nullptr);
  EXPECT_EQ(kept("cpu,locks"), &tally);
  EXPECT_EQ(problem, "");
}

TEST(ChosenSources, CpuTimeIsDeclaredWithItsInterval) {
  const auto sources = make_sources({{wire::kCpuSource}, {wire::source_id("locks")}});
  const std::vector<wire::Source> declared = declared_in(sources, 7);
  EXPECT_EQ(declared.at(0).period, 7u);
  EXPECT_EQ(declared.at(1).period, 0u);
}

}  // namespace
}  // namespace walkabout::agent
