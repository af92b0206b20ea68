#include "formats/chrome_trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "formats/test_profile.h"
#include "formats/test_traced.h"

namespace walkabout::formats {
namespace {

nlohmann::json chrome_trace_of(const profile::Profile& profile) {
  std::ostringstream out;
  EXPECT_TRUE(write_chrome_trace(profile, out).ok());
  return nlohmann::json::parse(out.str());
}

std::vector<nlohmann::json> events_of(const nlohmann::json& trace, const std::string& phase) {
  std::vector<nlohmann::json> out;
  for (const nlohmann::json& event : trace["traceEvents"]) {
    if (event["ph"] == phase) out.push_back(event);
  }
  return out;
}

// What the document of the format asks for of each kind of event.
void expect_valid(const nlohmann::json& trace) {
  ASSERT_TRUE(trace["traceEvents"].is_array());
  EXPECT_TRUE(trace["displayTimeUnit"] == "ms" || trace["displayTimeUnit"] == "ns");
  std::multiset<std::string> open;
  for (const nlohmann::json& event : trace["traceEvents"]) {
    const std::string phase = event["ph"];
    EXPECT_TRUE(event["name"].is_string());
    EXPECT_TRUE(event["pid"].is_number());
    if (phase == "M") continue;
    EXPECT_TRUE(event["ts"].is_number() && event["ts"] >= 0) << event;
    if (phase != "C") {
      EXPECT_TRUE(event["tid"].is_number() && event["cat"].is_string()) << event;
    }
    if (phase == "X") {
      EXPECT_TRUE(event["dur"].is_number() && event["dur"] >= 0) << event;
    }
    if (phase == "b") open.insert(event["id"]);
    if (phase == "e") {
      const auto begun = open.find(event["id"]);
      ASSERT_NE(begun, open.end()) << "an end without a begin: " << event;
      open.erase(begun);
    }
    if (phase == "C") {
      EXPECT_TRUE(event["args"].is_object()) << event;
    }
  }
  EXPECT_TRUE(open.empty()) << "a begin without an end";
}

TEST(ChromeTrace, SlowCallsAreSlicesWithTheirValues) {
  const nlohmann::json trace = chrome_trace_of(testing::traced_profile());
  expect_valid(trace);
  const std::vector<nlohmann::json> slices = events_of(trace, "X");
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[0]["name"], "Shop.Cart.Checkout(int)");
  EXPECT_EQ(slices[0]["ts"], 100'000.0);
  EXPECT_EQ(slices[0]["dur"], 60'000.0);
  EXPECT_EQ(slices[0]["tid"], 4711);
  EXPECT_EQ(slices[0]["args"]["id"], "42");
  EXPECT_EQ(slices[0]["args"]["exception"], "System.TimeoutException: no answer");
  EXPECT_EQ(slices[1]["args"]["result"], "17");
  EXPECT_EQ(slices[1]["args"]["stack"], "Shop.Cart.Checkout(int)\nShop.Program.Main()");
}

TEST(ChromeTrace, AsyncCallsAreAsyncSlices) {
  const nlohmann::json trace = chrome_trace_of(testing::traced_profile());
  const std::vector<nlohmann::json> begins = events_of(trace, "b");
  const std::vector<nlohmann::json> ends = events_of(trace, "e");
  ASSERT_EQ(begins.size(), 1u);
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_EQ(begins[0]["name"], "Shop.Orders.Load(int)");
  EXPECT_EQ(begins[0]["id"], "3");
  EXPECT_EQ(begins[0]["args"]["waiting_us"], 110'000.0);
  EXPECT_EQ(begins[0]["args"]["ended in thread"], 4711);
  EXPECT_EQ(ends[0]["ts"], 320'000.0);
  EXPECT_EQ(ends[0]["cat"], begins[0]["cat"]);
}

TEST(ChromeTrace, AsyncCallsWithinAnotherHaveItsId) {
  profile::Profile p = testing::traced_profile();
  std::vector<profile::SlowCall>& calls = p.traces[0].calls;
  calls[0].waiting_ns = calls[1].waiting_ns = 1;
  const std::vector<nlohmann::json> begins = events_of(chrome_trace_of(p), "b");
  ASSERT_EQ(begins.size(), 3u);
  EXPECT_EQ(begins[0]["id"], begins[1]["id"]);
}

TEST(ChromeTrace, ThreadsHaveTheirNames) {
  const std::vector<nlohmann::json> names = events_of(chrome_trace_of(testing::traced_profile()), "M");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0]["args"]["name"], "dotnet shop.dll");
  EXPECT_EQ(names[2]["args"]["name"], ".NET TP Worker");
  EXPECT_EQ(names[2]["tid"], 4712);
}

TEST(ChromeTrace, OfSamplesThereIsACounterOfCores) {
  const nlohmann::json trace = chrome_trace_of(testing::small_profile());
  expect_valid(trace);
  const std::vector<nlohmann::json> counters = events_of(trace, "C");
  ASSERT_EQ(counters.size(), 2u);
  EXPECT_EQ(counters[0]["ts"], 0);
  EXPECT_NEAR(counters[0]["args"]["cores"].get<double>(), 3.5, 0.01) << "35 ms within 10";
  EXPECT_EQ(counters[1]["args"]["cores"], 0.0) << "and nothing from there on";
}

TEST(ChromeTrace, EventsThatLastAreSlicesAndOthersMarks) {
  profile::Profile p = testing::small_profile();
  wire::Source gc;
  gc.id = base::SourceId(7);
  gc.name = "gc";
  gc.values = {{"pause", "nanoseconds", wire::Adding::kSum}};
  gc.labels = {{"generation", static_cast<uint32_t>(wire::LabelType::kNumber)}};
  wire::Source throws = gc;
  throws.id = base::SourceId(4);
  throws.name = "exceptions";
  throws.values = {{"throws", "count", wire::Adding::kSum}};
  throws.labels.clear();
  p.sources = {wire::cpu_source(p.session), gc, throws};
  p.label_sets = {{}, {2}};
  profile::Sample pause{2'000, 1'500'000, 0, 1};
  pause.source = 1;
  pause.labels = 1;
  profile::Sample thrown{2'500, 1, 1, 1};
  thrown.source = 2;
  p.samples.push_back(pause);
  p.samples.push_back(thrown);
  const nlohmann::json trace = chrome_trace_of(p);
  expect_valid(trace);
  const std::vector<nlohmann::json> slices = events_of(trace, "X");
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_EQ(slices[0]["ts"], 500);
  EXPECT_EQ(slices[0]["dur"], 1'500);
  EXPECT_EQ(slices[0]["args"]["generation"], "2");
  const std::vector<nlohmann::json> marks = events_of(trace, "i");
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0]["tid"], 11);
}

}  // namespace
}  // namespace walkabout::formats
