// Samples of events that are samples themselves: where the amounts are that were summed without a walk.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "profile/build/builder.h"
#include "profile/model/test_recording.h"
#include "profile/model/test_stacks.h"

namespace walkabout::profile {
namespace {

using testing::TestRecording;

wire::Source alloc_source() {
  wire::Source source;
  source.id = base::SourceId(3);
  source.name = "alloc";
  source.values = {{"allocated", "bytes", wire::Adding::kSum}};
  source.clock = static_cast<uint32_t>(wire::Clock::kEvent);
  source.period = 102'400;
  return source;
}

// So many turns of 1,000 us: A of 100 bytes, a sum of 300, B of 300 bytes, a sum of 900; every second turn is
// of another tree.
Profile summed(const BuildOptions& options, uint64_t turns) {
  Builder builder(options);
  TestRecording records(builder);
  builder.on_session({});
  builder.on_source(alloc_source());
  const base::ThreadId thread = records.thread("main", 1);
  const wire::Frame main = records.jitted("Demo", "Main"), a = records.jitted("Demo", "A"),
                    b = records.jitted("Demo", "B");
  const auto add = [&](uint64_t time_us, uint64_t bytes, base::StackId stack, wire::WalkEnd end) {
    builder.on_samples({thread,
                        {time_us},
                        {bytes},
                        {stack},
                        {end},
                        {0},
                        alloc_source().id,
                        {},
                        wire::SampleOrigin::kCallback});
  };
  base::StackId in_a, in_b, nowhere;
  for (uint64_t turn = 0; turn < turns; ++turn) {
    if (turn % 2 == 0) {
      if (turn != 0) records.new_tree();
      in_a = records.stack({main, a});
      in_b = records.stack({main, b});
      nowhere = records.stack({wire::Frame::not_walked()});
    }
    const uint64_t at = turn * 1000;
    add(at + 100, 100, in_a, wire::WalkEnd::kRooted);
    add(at + 200, 300, nowhere, wire::WalkEnd::kNotWalked);
    add(at + 300, 300, in_b, wire::WalkEnd::kRooted);
    add(at + 400, 900, nowhere, wire::WalkEnd::kNotWalked);
  }
  builder.on_end({turns * 1000});
  return builder.build("");
}

// Bytes by stack.
std::map<std::string, uint64_t> bytes_of(const Profile& profile) {
  std::map<std::string, uint64_t> bytes;
  for (const Sample& sample : profile.samples) bytes[testing::path(profile, sample.node)] += sample.weight;
  return bytes;
}

using Bytes = std::map<std::string, uint64_t>;

TEST(SampledEvents, SumsAreAtTheStacksThatWereWalked) {
  const Profile profile = summed({}, 10);
  EXPECT_EQ(bytes_of(profile), (Bytes{{"Demo.Main();Demo.A()", 4'000}, {"Demo.Main();Demo.B()", 12'000}}));
  uint64_t not_walked = 0;
  for (const Sample& sample : profile.samples)
    not_walked += sample.end == wire::WalkEnd::kNotWalked ? sample.weight : 0;
  EXPECT_EQ(not_walked, 12'000u);
  ASSERT_FALSE(profile.messages.empty());
  EXPECT_NE(profile.messages[0].text.find("alloc came too fast to walk the stack of each: 75%"),
            std::string::npos)
      << profile.messages[0].text;
}

// Broken by a focus on what was walked alone, and by one that leaves out nothing.
TEST(SampledEvents, AFocusHasItsPartOfTheSums) {
  const Filter filter{.focus = "Demo\\.B"};
  EXPECT_EQ(bytes_of(summed({.filter = filter}, 10)), (Bytes{{"Demo.Main();Demo.B()", 12'000}}));
  EXPECT_TRUE(bytes_of(summed({.filter = {.focus = "nowhere"}}, 10)).empty());
}

// Broken by sums that are placed by the time of the first of those that were put together.
TEST(SampledEvents, WhatWasPutTogetherIsPlacedAsWell) {
  for (const bool in_time_order : {true, false}) {
    const Bytes bytes = bytes_of(summed({.in_time_order = in_time_order, .bounds = {.samples = 100}}, 1000));
    const double all = 1'600'000;
    ASSERT_EQ(bytes.size(), 2u);
    EXPECT_EQ(bytes.at("Demo.Main();Demo.A()") + bytes.at("Demo.Main();Demo.B()"), 1'600'000u);
    EXPECT_NEAR(static_cast<double>(bytes.at("Demo.Main();Demo.A()")) / all, 0.25, 0.02) << in_time_order;
  }
}

}  // namespace
}  // namespace walkabout::profile
