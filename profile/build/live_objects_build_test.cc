// Samples of objects: which of them a profile has, and for how much.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profile/build/builder.h"
#include "profile/model/test_recording.h"

namespace walkabout::profile {
namespace {

using testing::TestRecording;

wire::Source live_source() {
  wire::Source source;
  source.id = base::SourceId(11);
  source.name = "live";
  source.values = {{"live", "bytes"}, {"objects", "count"}};
  source.labels = {{"type", static_cast<uint32_t>(wire::LabelType::kType)},
                   {"object", static_cast<uint32_t>(wire::LabelType::kObject)}};
  return source;
}

// Objects 1 to 4 of one type, 100 bytes and one object each, allocated at 10, 20, 30 and 40.
void emit(recording::RecordVisitor& to) {
  TestRecording records(to);
  to.on_session({});
  to.on_source(live_source());
  to.on_text({base::TextId(5), "Demo.Order", ""});
  const base::ThreadId thread = records.thread("main", 1);
  const base::StackId stack = records.stack({records.jitted("Demo.Program", "Main")});
  for (uint64_t object = 1; object <= 4; ++object) {
    to.on_samples({thread,
                   {10 * object},
                   {100, 1},
                   {stack},
                   {wire::WalkEnd::kRooted},
                   {0},
                   live_source().id,
                   {5, object},
                   wire::SampleOrigin::kCallback});
  }
  to.on_sweep({15, {}, 0, 0, 0, 0, 0});
  to.on_sweep({25, {2}, 1, 1, 1, 1, 1});
  to.on_sweep({45, {3}, 0, 2, 2, 1, 1});
  to.on_end({50});
}

Profile profile_of(const Filter& filter) {
  Names names;
  names.lives = Lives(filter.to_us);
  emit(names);
  Builder builder({.filter = filter}, std::move(names));
  emit(builder);
  return builder.build("");
}

// "time weight objects survived", one a line.
std::string objects_of(const Profile& profile) {
  std::string out;
  for (const Sample& sample : profile.samples) {
    const std::vector<uint64_t>& labels = profile.label_sets[sample.labels];
    EXPECT_EQ(profile.texts[labels[0] - 1], "Demo.Order");
    out += std::to_string(sample.time_us) + " " + std::to_string(sample.weight) + " " +
           std::to_string(value_of(profile, sample, 1)) + " " + profile.texts[labels[1] - 1] + "\n";
  }
  return out;
}

TEST(LiveObjectsBuild, ObjectsThatAreGoneAreLeftOut) {
  const Profile profile = profile_of({});
  EXPECT_EQ(objects_of(profile),
            "10 200 2 a collection of all generations\n"
            "40 100 1 no collection yet\n");
  EXPECT_EQ(profile.sources[0].labels[1].name, "survived");
}

TEST(LiveObjectsBuild, AtAMomentThereIsWhatIsCollectedLater) {
  Filter filter;
  filter.to_us = 35;
  EXPECT_EQ(objects_of(profile_of(filter)),
            "10 200 2 a collection of all generations\n"
            "30 100 1 no collection yet\n");
  filter.from_us = 15;
  EXPECT_EQ(objects_of(profile_of(filter)), "30 100 1 no collection yet\n");
}

TEST(LiveObjectsBuild, WhoReadsOnceCannotTell) {
  Builder builder({});
  emit(builder);
  EXPECT_TRUE(builder.wants_names());
  const Profile profile = builder.build("");
  EXPECT_TRUE(profile.samples.empty());
  ASSERT_FALSE(profile.messages.empty());
  EXPECT_NE(profile.messages.back().text.find("which objects still exist"), std::string::npos);
}

}  // namespace
}  // namespace walkabout::profile
