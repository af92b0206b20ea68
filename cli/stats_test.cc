#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/stats_collector.h"
#include "cli/test_report.h"

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;

Json stats_of(const std::string& path) {
  StatsCollector collector;
  const auto summary = recording::read_recording(path, collector);
  EXPECT_TRUE(summary.ok()) << summary.message();
  EXPECT_FALSE(collector.text(*summary).empty());
  return collector.json(*summary);
}

TEST(Stats, HasExactlyTheseNames) {
  const testing::RecordingFile file;
  const Json json = stats_of(file.path());
  EXPECT_EQ(json["attempts"], 6);
  EXPECT_EQ(json["samples"], 4);
  EXPECT_EQ(json["rooted"], 3);
  EXPECT_EQ(json["walk_end"], Json::parse(R"({"rooted":3,"no_unwind_info":0,"bad_memory":0,"bad_return":1,
                                             "no_progress":0,"too_deep":0,"gap":0,"not_walked":0})"));
  EXPECT_EQ(json["drops"],
            Json::parse(R"({"ring_full":1,"throttled":0,"stopping":1,"corrupt":0,"killed":0,"blocked":0})"));
  EXPECT_DOUBLE_EQ(json["cpu_weight_seconds"], 0.101);
  EXPECT_DOUBLE_EQ(json["unsampled_cpu_seconds"], 0.001);
  EXPECT_DOUBLE_EQ(json["process_cpu_seconds"], 0.105);
  EXPECT_DOUBLE_EQ(json["agent_cpu_seconds"], 0.0035);
  EXPECT_DOUBLE_EQ(json["callbacks_cpu_seconds"], 0.0005);
  EXPECT_EQ(json["shortened"], 0);
  EXPECT_EQ(json["whole"], 3);
  EXPECT_EQ(json["threads_sampled"], 2);
  EXPECT_EQ(json["threads"], 2) << "the agent's own do not count";
  EXPECT_DOUBLE_EQ(json["duration"], 3.1);
  EXPECT_EQ(json["lost"], 0);
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["damage"], "");
  EXPECT_EQ(json["oracle"], 3);
  EXPECT_DOUBLE_EQ(json["frames_per_walk"], 2.75);
}

TEST(Stats, OfACutOffFileStillAddUp) {
  const testing::RecordingFile whole;
  std::string stream = testing::small_stream();
  // Without the counters: what is in the file is what there is.
  recording::RawRecord record;
  std::string cut;
  for (std::string_view rest = stream; recording::split_record(rest, record) == recording::Split::kRecord;
       rest.remove_prefix(record.framed.size())) {
    if (record.type == wire::RecordType::kCounters) break;
    cut += record.framed;
  }
  const recording::testing::TestFile file;
  testing::write_recording(file.path(), cut);
  const Json json = stats_of(file.path());
  EXPECT_EQ(json["attempts"], 4);
  EXPECT_EQ(json["samples"], 4);
  EXPECT_EQ(json["complete"], false);
}

TEST(Stats, SamplesThatAreNotInTheFileAreLost) {
  recording::testing::Reencoder out;
  wire::Counters counters;
  counters.attempts = 10;
  counters.samples = 9;
  counters.drops = {1};
  out.on_counters(counters);
  const recording::testing::TestFile file;
  testing::write_recording(file.path(), out.bytes);
  const Json json = stats_of(file.path());
  EXPECT_EQ(json["attempts"], 10);
  EXPECT_EQ(json["samples"], 0);
  EXPECT_EQ(json["lost"], 9);
}

TEST(Stats, CountsEveryEventForItself) {
  const testing::RecordingFile file(testing::two_event_stream());
  const Json json = stats_of(file.path());
  EXPECT_EQ(json["samples"], 2) << "of CPU time";
  EXPECT_EQ(json["attempts"], 2);
  EXPECT_EQ(json["threads_sampled"], 1);
  EXPECT_DOUBLE_EQ(json["cpu_weight_seconds"], 0.03);
  const Json& cpu = json["events"]["cpu"];
  EXPECT_EQ(cpu["samples"], 2);
  EXPECT_EQ(cpu["attempts"], 2);
  EXPECT_DOUBLE_EQ(cpu["values"]["cpu time"], 0.03);
  const Json& wall = json["events"]["wall"];
  EXPECT_EQ(wall["attempts"], 7);
  EXPECT_EQ(wall["samples"], 4);
  EXPECT_EQ(wall["rooted"], 4);
  EXPECT_EQ(wall["drops"]["ring_full"], 2);
  EXPECT_EQ(wall["drops"]["throttled"], 1);
  EXPECT_EQ(wall["drops"]["blocked"], 0);
  EXPECT_DOUBLE_EQ(wall["values"]["wall time"], 10);
}

TEST(Stats, TextShowsTheOtherEvents) {
  const testing::RecordingFile file(testing::two_event_stream());
  StatsCollector collector;
  const auto summary = recording::read_recording(file.path(), collector);
  ASSERT_TRUE(summary.ok());
  EXPECT_THAT(collector.text(*summary),
              HasSubstr("event wall      4 samples of 7 attempts, one every 50.0 ms of wall time\n"
                        "  rooted        4 (100.000%)\n"
                        "  dropped       3: ring_full 2, throttled 1\n"
                        "  wall time     10.0 s\n"));
}

// A recording of the format's first version names no events.
TEST(Stats, HasNoEventsWhereNoneIsNamed) {
  recording::testing::Reencoder out;
  profile::testing::TestRecording emit(out);
  emit.sample(emit.thread("main", 1), 1, 5, emit.stack({emit.jitted("D", "A")}));
  const testing::RecordingFile file(out.bytes);
  const Json json = stats_of(file.path());
  EXPECT_EQ(json["samples"], 1);
  EXPECT_EQ(json.count("events"), 0u);
}

TEST(Stats, TextReportsTheSame) {
  const testing::RecordingFile file;
  StatsCollector collector;
  const auto summary = recording::read_recording(file.path(), collector);
  ASSERT_TRUE(summary.ok());
  const std::string text = collector.text(*summary);
  EXPECT_THAT(text, HasSubstr("attempts        6 ticks\n"));
  EXPECT_THAT(text, HasSubstr("dropped         2: ring_full 1, stopping 1\n"));
  EXPECT_THAT(text, HasSubstr("rooted          3 (75.000%)\n  bad_return    1 (25.000%)\n"));
  EXPECT_THAT(text, HasSubstr("CPU in samples  100 ms of 105 ms (95.24%)\n"));
  EXPECT_THAT(text, HasSubstr("warning         the kernel caps the rate\n"));
}

}  // namespace
}  // namespace walkabout::cli
