#include "cli/startup_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profile/model/test_recording.h"

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;

struct Shown {
  std::string text;
  Json json;
};
Shown shown(const profile::Profile& profile) {
  const base::Result<profile::Startup> startup = profile::startup(profile, kUsualStartupUs, 10);
  EXPECT_TRUE(startup.ok()) << startup.message();
  return {startup_text(profile, *startup, {}), startup_json(profile, *startup)};
}

// Of wall-clock time alone, and cut off.
profile::Profile cut_off() {
  profile::Profile profile;
  profile.sources = {profile::testing::wall_source()};
  profile.damage = "its end is missing";
  profile.messages = {{1, wire::Severity::kWarning, "the kernel caps the rate"}};
  return profile;
}

TEST(StartupReport, SaysWhatIsNotRightWithTheRecording) {
  const Shown s = shown(cut_off());
  EXPECT_THAT(s.text, HasSubstr("The recording was cut off"));
  EXPECT_THAT(s.text, HasSubstr("Damaged: its end is missing."));
  EXPECT_THAT(s.text, HasSubstr("Warning: the kernel caps the rate"));
  EXPECT_EQ(s.json["complete"], false);
  EXPECT_EQ(s.json["damage"], "its end is missing");
}

TEST(StartupReport, NamesWhatWasNotRecorded) {
  EXPECT_THAT(shown(cut_off()).text, HasSubstr("Not recorded: cpu,exceptions,locks,waits,gc,jit,loads."));
}

}  // namespace
}  // namespace walkabout::cli
