// The web tests open such a file in speedscope itself; here is what must be in it.
#include "formats/speedscope.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "formats/test_profile.h"
#include "formats/test_traced.h"
#include "profile/query/view.h"

namespace walkabout::formats {
namespace {

nlohmann::json written(const profile::Profile& profile) {
  std::ostringstream out;
  EXPECT_TRUE(write_speedscope(profile, out).ok());
  return nlohmann::json::parse(out.str());
}

TEST(Speedscope, OneSampledProfilePerThreadWithSamples) {
  const nlohmann::json json = written(testing::small_profile());
  EXPECT_EQ(json["$schema"], "https://www.speedscope.app/file-format-schema.json");
  EXPECT_EQ(json["name"], "dotnet demo.dll \"quoted\"");
  EXPECT_EQ(json["activeProfileIndex"], 0);
  ASSERT_EQ(json["profiles"].size(), 2u);
  const nlohmann::json& main = json["profiles"][0];
  EXPECT_EQ(main["type"], "sampled");
  EXPECT_EQ(main["name"], "main (10)");
  EXPECT_EQ(main["unit"], "nanoseconds");
  EXPECT_EQ(main["startValue"], 0);
  EXPECT_EQ(main["endValue"], 30'001'000);
  EXPECT_EQ(main["samples"], nlohmann::json::parse("[[0,1],[0,1,2],[3]]"))
      << "root first, equal neighbours merged";
  EXPECT_EQ(main["weights"], nlohmann::json::parse("[10000000,20000000,1000]"));
  EXPECT_EQ(json["profiles"][1]["name"], "Sorter; #1 (11)");
}

TEST(Speedscope, FramesHaveTheirModule) {
  const nlohmann::json frames = written(testing::small_profile())["shared"]["frames"];
  ASSERT_EQ(frames.size(), 4u);
  EXPECT_EQ(frames[2], nlohmann::json::parse(R"({"name":"qsort","file":"libc.so.6"})"));
  EXPECT_EQ(frames[3], nlohmann::json::parse("{\"name\":\"weird;name \\\"x\\\"\\n\\ufffd\"}"));
}

TEST(Speedscope, ShowsTheHeaviestThreadFirst) {
  profile::Profile p = testing::small_profile();
  p.threads[1].weight = 1'000'000'000'000;
  EXPECT_EQ(written(p)["activeProfileIndex"], 1);
}

TEST(Speedscope, OfSeveralEventsIsCpuTime) {
  EXPECT_EQ(written(testing::two_events()), written(testing::small_profile()));
}

TEST(Speedscope, IsOfTheEventThatIsShown) {
  const nlohmann::json json = written(profile::viewed(testing::two_events(), {1, 0}));
  ASSERT_EQ(json["profiles"].size(), 1u);
  EXPECT_EQ(json["profiles"][0]["unit"], "nanoseconds");
  EXPECT_EQ(json["profiles"][0]["endValue"], 3'000'000'000);
  EXPECT_EQ(json["profiles"][0]["weights"], nlohmann::json::parse("[1000000000,2000000000]"));
  EXPECT_EQ(written(profile::viewed(testing::two_events(), {1, 1}))["profiles"][0]["unit"], "none");
}

TEST(Speedscope, TracedCallsAreATreeAndSlowOnesAreEvented) {
  const nlohmann::json json = written(profile::viewed(testing::traced_profile(), {0, 0}));
  ASSERT_EQ(json["profiles"].size(), 4u);
  EXPECT_EQ(json["profiles"][0]["type"], "sampled");
  EXPECT_EQ(json["profiles"][0]["endValue"], 60'000'000);
  const nlohmann::json& main = json["profiles"][2];
  EXPECT_EQ(main["type"], "evented");
  EXPECT_EQ(main["name"], "main (4711): slow calls");
  EXPECT_EQ(main["unit"], "nanoseconds");
  EXPECT_EQ(main["startValue"], 100'000'000);
  EXPECT_EQ(main["endValue"], 160'000'000);
  std::string events;
  for (const nlohmann::json& event : main["events"])
    events += std::string(event["type"]) + " " +
              std::string(json["shared"]["frames"][event["frame"].get<size_t>()]["name"]) + " " +
              std::to_string(event["at"].get<uint64_t>() / 1'000'000) + "\n";
  EXPECT_EQ(events,
            "O Shop.Cart.Checkout(int) 100\nO Shop.Db.Query(string) 105\n"
            "C Shop.Db.Query(string) 155\nC Shop.Cart.Checkout(int) 160\n");
  EXPECT_EQ(json["profiles"][3]["name"], ".NET TP Worker (4712): slow calls of async methods");
}

TEST(Speedscope, OfAnotherEventHasNoSlowCalls) {
  const nlohmann::json json = written(profile::viewed(testing::traced_profile(), {1, 0}));
  EXPECT_TRUE(json["profiles"].empty()) << "it has no samples";
}

TEST(Speedscope, OfNothingIsStillJson) {
  const nlohmann::json json = written({});
  EXPECT_TRUE(json["profiles"].empty());
  EXPECT_TRUE(json["shared"]["frames"].empty());
}

}  // namespace
}  // namespace walkabout::formats
