#include "profile/query/by_label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

Profile allocations() {
  Profile p;
  p.frames = {{"Main", "", "", Kind::kManaged}};
  p.nodes = {{}, {0, 0}};
  p.threads = {{"main", 1}};
  p.texts = {"System.String", "small", "System.Byte[]"};
  wire::Source alloc;
  alloc.id = base::SourceId(3);
  alloc.name = "alloc";
  alloc.values = {{"allocated", "bytes", wire::Adding::kSum}};
  alloc.labels = {{"type", static_cast<uint32_t>(wire::LabelType::kText)},
                  {"state", static_cast<uint32_t>(wire::LabelType::kThreadState)},
                  {"heap", static_cast<uint32_t>(wire::LabelType::kText)}};
  p.sources = {alloc};
  p.label_sets = {{}, {1, 0, 2}, {3, 1, 2}, {0, 1, 2}};
  for (const auto& [weight, labels] : {std::pair{100, 1}, {50, 2}, {70, 2}, {5, 3}}) {
    Sample sample{1, static_cast<uint64_t>(weight), 0, 1};
    sample.labels = static_cast<uint32_t>(labels);
    p.samples.push_back(sample);
  }
  return p;
}

TEST(ByLabel, SumsByEachLabelHeaviestFirst) {
  const std::vector<ByLabel> all = by_label(allocations(), {0, 0});
  ASSERT_EQ(all.size(), 2u) << "states have a place of their own";
  EXPECT_EQ(all[0].label.name, "type");
  ASSERT_EQ(all[0].values.size(), 3u);
  EXPECT_EQ(all[0].values[0].value, 3u);
  EXPECT_EQ(all[0].values[0].amount.weight, 120u);
  EXPECT_EQ(all[0].values[0].amount.samples, 2u);
  EXPECT_EQ(all[0].values[2].value, 0u) << "not known";
  EXPECT_EQ(all[1].label.name, "heap");
  ASSERT_EQ(all[1].values.size(), 1u);
  EXPECT_EQ(all[1].values[0].amount.weight, 225u);
}

TEST(ByLabel, WhatIsOfAnotherValueAndWhatNobodyKnowsIsLeftOut) {
  Profile p = allocations();
  for (Sample& sample : p.samples)
    if (sample.labels == 1) sample.weight = 0;
  p.label_sets = {{}, {1, 0, 0}, {3, 1, 0}, {0, 1, 0}};
  std::vector<ByLabel> all = by_label(p, {0, 0});
  ASSERT_EQ(all.size(), 1u) << "of no sample the heap is known";
  EXPECT_EQ(all[0].values.size(), 2u) << "strings have nothing of this value";
  for (Sample& sample : p.samples) sample.weight = 0;
  all = by_label(p, {0, 0});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].values.size(), 3u) << "nothing of it was there at all";
}

TEST(ByLabel, NoneWhereThereAreNoLabels) {
  Profile p = allocations();
  p.sources[0].labels = {};
  EXPECT_TRUE(by_label(p, {0, 0}).empty());
}

}  // namespace
}  // namespace walkabout::profile
