#include "cli/quality.h"

#include <gtest/gtest.h>

namespace walkabout::cli {
namespace {

TEST(Quality, ThreadsAreThoseOfTheProgram) {
  profile::Profile profile;
  profile.threads.resize(3);
  profile.threads[0].samples = 7;
  profile.threads[2].kind = wire::ThreadKind::kAgent;
  EXPECT_EQ(threads_sampled(count_threads(profile)), "1 of 2 threads sampled");
  profile.threads.resize(1);
  EXPECT_EQ(threads_sampled(count_threads(profile)), "1 of 1 thread sampled");
}

TEST(Quality, AStackThatFramesWereLeftOutOfIsNotWhole) {
  profile::Profile profile;
  profile.session.depth = 64;
  profile.frames.resize(1);
  profile.nodes.resize(1);
  const auto text = [&] { return whole_stacks(count_stacks(profile, profile::sum_up(profile))); };
  profile.samples.assign(8, profile::Sample{});
  EXPECT_EQ(text(), "100.00% of the stacks are whole");
  profile.samples[0].shortened = profile.samples[1].shortened = true;
  profile.samples[1].end = profile.samples[2].end = wire::WalkEnd::kBadReturn;
  EXPECT_EQ(text(),
            "62.50% of the stacks are whole (2 are cut off, 2 lack frames in the middle, which --depth 64 "
            "left out)");
  profile.samples[3].end = wire::WalkEnd::kGap;
  EXPECT_EQ(text(),
            "50.00% of the stacks are whole (2 are cut off, 1 has [unknown frames], 2 lack frames in the "
            "middle, which --depth 64 left out)");
  profile.samples[3].end = wire::WalkEnd::kRooted;
  profile.samples.erase(profile.samples.begin(), profile.samples.begin() + 2);
  EXPECT_EQ(text(), "83.33% of the stacks are whole (1 is cut off)");
}

TEST(Quality, ARecordingsOwnFaultsAreSaid) {
  profile::Profile profile;
  profile.complete = true;
  profile.messages = {{1, wire::Severity::kInfo, "fine"}};
  EXPECT_TRUE(reservations(profile).empty());
  profile.complete = false;
  profile.damage = "its end is missing";
  profile.messages.push_back({2, wire::Severity::kWarning, "careful"});
  EXPECT_EQ(reservations(profile),
            (std::vector<std::string>{"The recording was cut off: the agent did not end it.",
                                      "Damaged: its end is missing.", "Warning: careful"}));
}

}  // namespace
}  // namespace walkabout::cli
