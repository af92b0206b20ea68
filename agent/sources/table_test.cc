#include "agent/sources/table.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

TEST(SourceTable, EveryRowHasASourceThatDeclaresItself) {
  std::vector<wire::SourceChoice> all;
  for (const wire::SourceRow& row : wire::kSources) all.push_back({row.id, row.usual_ns});
  const std::vector<ChosenSource> sources = make_sources(all);
  ASSERT_EQ(sources.size(), std::size(wire::kSources));
  const std::vector<wire::Source> declared = declarations(sources);
  for (size_t i = 0; i < declared.size(); ++i) {
    EXPECT_EQ(declared[i].id, wire::kSources[i].id);
    EXPECT_EQ(declared[i].name, wire::kSources[i].name);
    EXPECT_GE(declared[i].values.size(), 1u) << declared[i].name;
    EXPECT_LE(declared[i].values.size(), wire::kMostSampleValues) << declared[i].name;
    EXPECT_LE(declared[i].labels.size(), wire::kMostSampleLabels) << declared[i].name;
  }
}

TEST(SourceTable, CpuIsDeclaredAsARecordingWithoutSourcesHasIt) {
  wire::Session session;
  session.interval_ns = 7'000'000;
  const std::vector<ChosenSource> sources = make_sources({{wire::kCpuSource, 7'000'000}});
  const wire::Source declared = declarations(sources).at(0), usual = wire::cpu_source(session);
  EXPECT_EQ(declared.name, usual.name);
  EXPECT_EQ(declared.period, usual.period);
  EXPECT_EQ(declared.clock, usual.clock);
  EXPECT_EQ(declared.values.at(0).name, usual.values.at(0).name);
}

}  // namespace
}  // namespace walkabout::agent
