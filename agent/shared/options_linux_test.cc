#include <gtest/gtest.h>
#include <stdlib.h>

#include "agent/shared/options.h"

namespace walkabout::agent {
namespace {

constexpr const char* kNames[] = {"WALKABOUT_SOCKET",         "WALKABOUT_OUTPUT", "WALKABOUT_INTERVAL",
                                  "WALKABOUT_DEPTH",          "WALKABOUT_ENGINE", "WALKABOUT_ORACLE",
                                  "WALKABOUT_LINES",          "WALKABOUT_BESIDE", "CORECLR_PROFILER",
                                  "CORECLR_ENABLE_PROFILING", "WALKABOUT_STREAM", "WALKABOUT_EVERY",
                                  "WALKABOUT_BUDGET",         "WALKABOUT_CLI",    "WALKABOUT_CHILDREN",
                                  "WALKABOUT_EVENTS"};

class OptionsTest : public ::testing::Test {
 protected:
  OptionsTest() {
    clear();
    ::setenv("WALKABOUT_OUTPUT", "/tmp/x.walk", 1);
  }
  ~OptionsTest() override { clear(); }
  static void clear() {
    for (const char* name : kNames) ::unsetenv(name);
  }
  static base::Result<Options> with(const char* name, const char* value) {
    ::setenv(name, value, 1);
    base::Result<Options> options = options_from_environment();
    ::unsetenv(name);
    return options;
  }
};

TEST_F(OptionsTest, OnlyOneIsBesideAnotherProfiler) {
  EXPECT_FALSE(beside_another_profiler());
  for (const char* no : {"", "0", "2", "11"}) {
    ::setenv("WALKABOUT_BESIDE", no, 1);
    EXPECT_FALSE(beside_another_profiler()) << no;
  }
  ::setenv("WALKABOUT_BESIDE", "1", 1);
  EXPECT_TRUE(beside_another_profiler());
}

TEST_F(OptionsTest, AnAttachedOneIsBesideTheProfilerOfTheEnvironment) {
  ::setenv("CORECLR_PROFILER", "{846F5F1C-F9AE-4B07-969E-05C26BC060D8}", 1);
  ::setenv("CORECLR_ENABLE_PROFILING", "1", 1);
  EXPECT_FALSE(beside_another_profiler());  // we were started, too
  ::unsetenv("WALKABOUT_OUTPUT");
  EXPECT_TRUE(beside_another_profiler());
  ::setenv("CORECLR_ENABLE_PROFILING", "0", 1);
  EXPECT_FALSE(beside_another_profiler());
}

TEST_F(OptionsTest, DefaultsWhenOnlyTheDestinationIsGiven) {
  const auto options = options_from_environment();
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->output, "/tmp/x.walk");
  EXPECT_EQ(options->socket, "");
  EXPECT_EQ(options->interval_ns, 10'101'010u);
  EXPECT_EQ(options->depth, 2048u);
  EXPECT_EQ(options->engine, RequestedEngine::kAuto);
  EXPECT_FALSE(options->oracle);
  EXPECT_EQ(options->every_ns, 0u);
  EXPECT_EQ(options->budget_ppm, 0u);
  EXPECT_FALSE(options->children);
  EXPECT_EQ(options->events, (std::vector<wire::SourceChoice>{{base::SourceId(1), 0}}));
}

TEST_F(OptionsTest, NoDestinationIsAnErrorThatNamesBoth) {
  clear();
  const auto options = options_from_environment();
  ASSERT_FALSE(options.ok());
  EXPECT_NE(options.message().find("WALKABOUT_SOCKET"), std::string::npos);
  EXPECT_NE(options.message().find("WALKABOUT_OUTPUT"), std::string::npos);
}

TEST_F(OptionsTest, EveryVariableIsRead) {
  EXPECT_EQ(with("WALKABOUT_SOCKET", "/run/s")->socket, "/run/s");
  EXPECT_EQ(with("WALKABOUT_INTERVAL", "1ms")->interval_ns, 1'000'000u);
  EXPECT_EQ(with("WALKABOUT_INTERVAL", "100us")->interval_ns, wire::kMinIntervalNs);
  EXPECT_EQ(with("WALKABOUT_INTERVAL", "1s")->interval_ns, wire::kMaxIntervalNs);
  EXPECT_EQ(with("WALKABOUT_DEPTH", "16")->depth, wire::kMinDepth);
  EXPECT_EQ(with("WALKABOUT_DEPTH", "65536")->depth, wire::kMaxDepth);
  EXPECT_EQ(with("WALKABOUT_ENGINE", "auto")->engine, RequestedEngine::kAuto);
  EXPECT_EQ(with("WALKABOUT_ENGINE", "perf")->engine, RequestedEngine::kPerf);
  EXPECT_EQ(with("WALKABOUT_ENGINE", "timer")->engine, RequestedEngine::kTimer);
  EXPECT_TRUE(with("WALKABOUT_ORACLE", "1")->oracle);
  EXPECT_TRUE(with("WALKABOUT_LINES", "1")->lines);
  EXPECT_EQ(with("WALKABOUT_STREAM", "/tmp/raw")->stream, "/tmp/raw");
  EXPECT_EQ(with("WALKABOUT_EVERY", "1s")->every_ns, wire::kMinEveryNs);
  EXPECT_EQ(with("WALKABOUT_BUDGET", "1%")->budget_ppm, 10'000u);
  EXPECT_EQ(with("WALKABOUT_CLI", "/opt/walkabout")->cli, "/opt/walkabout");
  EXPECT_TRUE(with("WALKABOUT_CHILDREN", "1")->children);
  EXPECT_TRUE(wire::is_on(with("WALKABOUT_EVENTS", "cpu")->events, base::SourceId(1)));
}

TEST_F(OptionsTest, AWrongListOfEventsIsAnErrorThatReportsWhatThereIs) {
  for (const char* wrong : {"cup", "cpu,", "cpu,cpu", "cpu=1ms"}) {
    const auto options = with("WALKABOUT_EVENTS", wrong);
    ASSERT_FALSE(options.ok()) << wrong;
    EXPECT_EQ(options.message().rfind("WALKABOUT_EVENTS: ", 0), 0u) << options.message();
    EXPECT_NE(options.message().find("there are: cpu"), std::string::npos) << options.message();
  }
}

TEST_F(OptionsTest, AWrongValueIsAnErrorThatNamesTheVariableButNotTheValue) {
  const std::pair<const char*, const char*> wrong[] = {
      {"WALKABOUT_INTERVAL", "99us"}, {"WALKABOUT_INTERVAL", "2s"},
      {"WALKABOUT_INTERVAL", "fast"}, {"WALKABOUT_INTERVAL", "10"},
      {"WALKABOUT_DEPTH", "15"},      {"WALKABOUT_DEPTH", "65537"},
      {"WALKABOUT_DEPTH", "-1"},      {"WALKABOUT_DEPTH", "deep"},
      {"WALKABOUT_DEPTH", "2048x"},   {"WALKABOUT_DEPTH", "99999999999999999999"},
      {"WALKABOUT_ENGINE", "Perf"},   {"WALKABOUT_EVERY", "999ms"},
      {"WALKABOUT_EVERY", "60"},      {"WALKABOUT_BUDGET", "1"},
      {"WALKABOUT_BUDGET", "0%"}};
  for (const auto& [name, value] : wrong) {
    const auto options = with(name, value);
    ASSERT_FALSE(options.ok()) << name << "=" << value;
    EXPECT_EQ(options.message().rfind(std::string(name) + " is not a", 0), 0u) << options.message();
  }
}

TEST_F(OptionsTest, AnEmptyVariableIsAsIfItWereNotSet) {
  EXPECT_EQ(with("WALKABOUT_INTERVAL", "")->interval_ns, Options().interval_ns);
  EXPECT_EQ(with("WALKABOUT_DEPTH", "")->depth, Options().depth);
}

TEST_F(OptionsTest, AnAttachHandsThemOverAsClientData) {
  using namespace std::literals;
  const auto options =
      options_from_client_data("WALKABOUT_SOCKET=/tmp/s\0WALKABOUT_INTERVAL=1ms\0WALKABOUT_ENGINE=timer\0"sv);
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->socket, "/tmp/s");
  EXPECT_EQ(options->output, "") << "the environment does not count";
  EXPECT_EQ(options->interval_ns, 1'000'000u);
  EXPECT_EQ(options->engine, RequestedEngine::kTimer);
  EXPECT_FALSE(options_from_client_data("").ok());
  EXPECT_FALSE(options_from_client_data("WALKABOUT_SOCKET=/tmp/s\0WALKABOUT_DEPTH=1\0"sv).ok());
}

TEST_F(OptionsTest, WhereCallsAreCountedNothingIsSampled) {
  using namespace std::literals;
  const auto options = options_from_client_data(
      "WALKABOUT_SOCKET=/tmp/s\0WALKABOUT_COUNT=Orders.*\n!*.get_*\n\0WALKABOUT_COUNT_ALL=1\0"
      "WALKABOUT_COUNT_BY_CALLER=1\0"sv);
  ASSERT_TRUE(options.ok());
  ASSERT_EQ(options->count.size(), 2u);
  EXPECT_TRUE(options->count[1].exclude);
  EXPECT_TRUE(options->count_all);
  EXPECT_TRUE(options->count_by_caller);
  EXPECT_TRUE(options->events.empty());
  EXPECT_FALSE(options_from_client_data("WALKABOUT_SOCKET=/tmp/s\0WALKABOUT_COUNT=!a\0"sv).ok());
  EXPECT_FALSE(
      options_from_client_data("WALKABOUT_SOCKET=/tmp/s\0WALKABOUT_COUNT=a\0WALKABOUT_EVERY=60s\0"sv).ok());
}

}  // namespace
}  // namespace walkabout::agent
