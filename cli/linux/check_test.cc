#include "cli/linux/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "check/process_check.h"

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;

class ProcessCheck : public ::testing::Test {
 protected:
  ProcessCheck() {
    EXPECT_NE(::mkdtemp(root_.data()), nullptr);
    std::filesystem::create_directories(root_ + "/7");
    process_.pid = 7;
    process_.own_pid = 1;
  }
  ~ProcessCheck() override { std::filesystem::remove_all(root_); }
  void map(const std::string& path) {
    std::ofstream(root_ + "/7/maps", std::ios::app)
        << "7f0000000000-7f0000001000 r-xp 00000000 08:01 99    " << path << "\n";
  }
  CheckResults check(const ProcessFacts& facts) const {
    return check_process(process_, facts, {root_, root_});
  }

  std::string root_ = "/tmp/walkabout-process-XXXXXX";
  diagnostics::Process process_;
};

TEST_F(ProcessCheck, OneInAContainerIsReportedAsSuch) {
  const CheckResults found = check({});
  EXPECT_THAT(found[0].what, HasSubstr("in a container where it is 1"));
  EXPECT_EQ(count(found, Verdict::kOk), found.size());
}

TEST_F(ProcessCheck, ADebuggerAndAStoppedProcess) {
  ProcessFacts facts;
  facts.tracer = 12;
  EXPECT_EQ(check(facts)[1].verdict, Verdict::kWarn);
  EXPECT_THAT(check(facts)[1].what, HasSubstr("process 12"));
  for (const char state : {'T', 't'}) {
    facts.state = state;
    EXPECT_EQ(check(facts)[1].verdict, Verdict::kNo);
  }
}

TEST_F(ProcessCheck, MuslIsNoLibraryForTheAgent) {
  map("/usr/share/dotnet/libcoreclr.so");
  EXPECT_EQ(count(check({}), Verdict::kNo), 0u);
  map("/lib/ld-musl-x86_64.so.1");
  EXPECT_EQ(check({}).back().verdict, Verdict::kNo);
  EXPECT_EQ(mapped_file({root_, root_}, 7, "/libcoreclr.so"), "/usr/share/dotnet/libcoreclr.so");
  EXPECT_EQ(mapped_file({root_, root_}, 8, "/libcoreclr.so"), "");
}

TEST(Check, TextAndJsonReportTheSame) {
  CheckReport report;
  report.results = {{Verdict::kOk, "rate", "high", ""}, {Verdict::kNo, "port", "none", "restart it"}};
  EXPECT_EQ(check_text(report), "ok    rate         high\nno    port         none  → restart it\n");
  const Json json = check_json(report);
  EXPECT_EQ(json["can_profile"], false);
  EXPECT_EQ(json["problems"], 1);
  EXPECT_EQ(json["warnings"], 0);
  EXPECT_EQ(json["findings"][1]["remedy"], "restart it");
}

}  // namespace
}  // namespace walkabout::cli
