#include "cli/pool_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PoolReportTest : public ::testing::Test {
 protected:
  PoolReportTest() {
    profile_.session.runtime = ".NET 10.0.12";
    profile_.duration_us = 2'000'000;
    profile_.complete = true;
    profile_.frames = {
        {"Shop.Orders.Load()", "", "", profile::Kind::kManaged},
        {"System.Threading.Tasks.Task<int>.GetResultCore(bool)", "", "", profile::Kind::kManaged}};
    report_.end_us = 2'000'000;
  }
  void add_workers() {
    profile::PoolWorkers workers;
    workers.most = workers.end = 9;
    workers.reasons = {{profile::kStarvation, 3, 3, 0, 500'000, 1'500'000}};
    workers.parts = {{0, 2'000'000, 9, 3}};
    report_.workers = workers;
  }
  void add_blocked() {
    profile::PoolBlocked blocked;
    blocked.all = {4'000'000'000, 8};
    blocked.calls[static_cast<size_t>(profile::PoolCall::kTask)] = {3'000'000'000, 6};
    blocked.waits = {{profile::PoolCall::kTask, 1, 0, {3'000'000'000, 6}},
                     {profile::PoolCall::kNative, profile::kNoFrame, profile::kNoFrame, {1'000'000'000, 2}}};
    blocked.parts = {{0, 2'000'000, 4'000'000'000, 3}};
    report_.blocked = blocked;
    report_.blocked_event = "wall";
  }
  std::string text() const { return pool_text(profile_, report_, {}); }

  profile::Profile profile_;
  PoolReport report_;
};

TEST_F(PoolReportTest, NamesSyncOverAsyncAndWhoseItIs) {
  add_workers();
  add_blocked();
  EXPECT_THAT(text(), HasSubstr("? at the begin, 9 at most, 9 at the end"));
  EXPECT_THAT(text(), HasSubstr("3 times: work waited, and no worker took any for half a second or longer"));
  EXPECT_THAT(text(), HasSubstr("2.0 workers on average"));
  EXPECT_THAT(text(), HasSubstr("75.0% of it: workers waited for tasks"));
  EXPECT_THAT(text(), HasSubstr("sync over async: System.Threading.Tasks.Task<int>.GetResultCore(bool)\n"));
  EXPECT_THAT(text(), HasSubstr("Shop.Orders.Load()\n"));
  EXPECT_THAT(text(), HasSubstr("in the queue is not known"));
  EXPECT_THAT(text(), Not(HasSubstr("Not recorded")));
  const Json json = pool_json(profile_, report_);
  EXPECT_EQ(json["workers"]["begin"], nullptr);
  EXPECT_EQ(json["workers"]["changes"][0]["added"], 3);
  EXPECT_EQ(json["blocked"]["mean"], 2.0);
  EXPECT_EQ(json["blocked"]["by_call"].size(), 1u);
  EXPECT_EQ(json["blocked"]["waits"][0]["how"], "sync over async");
  EXPECT_EQ(json["blocked"]["waits"][0]["caller"], "Shop.Orders.Load()");
  EXPECT_EQ(json["blocked"]["waits"][1]["method"], "");
  EXPECT_EQ(json["parts"][0]["workers"], 9);
}

TEST_F(PoolReportTest, SaysWhatWasNotRecorded) {
  EXPECT_THAT(text(), HasSubstr("Not recorded: threads,wall."));
  add_workers();
  EXPECT_THAT(text(), HasSubstr("Not recorded: wall."));
  const Json json = pool_json(profile_, report_);
  EXPECT_FALSE(json.contains("blocked"));
}

TEST_F(PoolReportTest, OfWaitsItSaysWhatIsMissing) {
  add_blocked();
  report_.blocked_event = "waits";
  EXPECT_THAT(text(), HasSubstr("those of waits that ended"));
}

}  // namespace
}  // namespace walkabout::cli
