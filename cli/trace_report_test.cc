#include "cli/trace_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/report.h"
#include "cli/test_report.h"
#include "profile/build/traces.h"
#include "profile/model/test_trace.h"

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TraceReport : public ::testing::Test {
 protected:
  static std::string walk() {
    recording::testing::Reencoder out;
    profile::testing::emit_trace(out);
    return out.bytes;
  }
  void SetUp() override {
    testing::write_recording(file_.path(), walk());
    base::Result<profile::Profile> loaded = load_trace(file_.path());
    ASSERT_TRUE(loaded.ok()) << loaded.message();
    profile_ = std::move(*loaded);
  }
  std::string text(size_t width = 0) const { return trace_text(profile_, 20, {width, false}); }

  recording::testing::TestFile file_;
  profile::Profile profile_;
};

TEST_F(TraceReport, HasMethodsByTheirOwnTime) {
  const std::string shown = text();
  EXPECT_THAT(shown, HasSubstr("1,000,091 calls of 6 methods on 2 threads in 1.00 s; without a call: 1\n"));
  EXPECT_THAT(shown, HasSubstr("traced time 920 ms   on a processor 460 ms   and 2.21 us in the probes\n"));
  EXPECT_THAT(
      shown,
      HasSubstr("        calls    total     self      CPU  waiting      min   median      p99      max   "
                "thrown  method\n"
                "           25   410 ms   410 ms   205 ms     0 ns  1.00 ms  19.9 ms  48.2 ms  50.0 ms"
                "        0  Shop.Db.Query(string)\n"));
  EXPECT_THAT(shown, HasSubstr("           20   800 ms   200 ms   400 ms     0 ns  30.0 ms        -        "
                               "-  60.0 ms        1  Shop.Cart.Checkout(int)\n"))
      << "how its calls are spread is not known";
  EXPECT_THAT(shown, HasSubstr("    1,000,000        -        -        -        -        -        -        -"
                               "        -        0  Shop.Item.Price.get()\n"));
}

TEST_F(TraceReport, ANarrowTerminalHasFewerColumns) {
  const std::string shown = text(80);
  EXPECT_THAT(shown, HasSubstr("        calls    total     self  waiting   thrown  method\n"));
  EXPECT_THAT(shown, HasSubstr("Shop.Cart.Checkout(int)\n"));
}

TEST_F(TraceReport, HasTheHotPartOfTheTree) {
  EXPECT_THAT(text(),
              HasSubstr("           total     self  waiting       calls  method\n"
                        "  97.8%   900 ms   100 ms     0 ns           1  ├ Shop.Program.Main(string[])\n"
                        "  87.0%   800 ms   200 ms     0 ns          20  │ Shop.Cart.Checkout(int)\n"
                        "  43.5%   400 ms   400 ms     0 ns          20  │ ├ Shop.Db.Query(string)\n"
                        "  21.7%   200 ms   150 ms     0 ns          20  │ └ Shop.Cart.Sum()\n"));
}

TEST_F(TraceReport, HasSlowCallsAndWhatWasInThem) {
  EXPECT_THAT(
      text(),
      HasSubstr("The slowest of 3 calls of 50.0 ms and more\n"
                "   120 ms       at 200 ms  Shop.Orders.Load(int)\n"
                "                             in .NET TP Worker (4712), ended in main (4711), on a processor "
                "30.0 ms, waiting 110 ms\n"
                "  60.0 ms       at 100 ms  Shop.Cart.Checkout(int)\n"
                "                             (id: 42) threw System.TimeoutException: no answer\n"
                "                             in main (4711), on a processor 15.0 ms\n"
                "                               at Shop.Program.Main()\n"
                "  50.0 ms       at 105 ms  └ Shop.Db.Query(string)\n"
                "                               (sql: \"SELECT * FROM orders…) returned 17\n"));
}

TEST_F(TraceReport, SaysWhatIsNotInIt) {
  const std::string shown = text();
  EXPECT_THAT(shown, HasSubstr("1 method was not traced, the body cannot be read: Shop.Cart.Twist().\n"));
  EXPECT_THAT(shown, HasSubstr("No method matches 'Shpo.*'; names like it: Shop.Cart, Shop.Db.\n"));
  EXPECT_THAT(shown, HasSubstr("only their calls were counted: Shop.Item.Price.get(). Their time is their "
                               "callers'.\n"));
  EXPECT_THAT(shown, HasSubstr("4 slow calls not kept one by one: there was no room.\n"));
  EXPECT_THAT(shown, Not(HasSubstr("cut off")));
  EXPECT_THAT(shown, Not(HasSubstr("not known")));
  profile_.traces[0].complete = false;
  profile_.traces[0].state.cpu = 0;
  profile_.traces[0].state.too_deep = 2;
  const std::string cut = text();
  EXPECT_THAT(cut, HasSubstr("The recording was cut off"));
  EXPECT_THAT(cut, HasSubstr("2 calls not traced: they were too deep."));
  EXPECT_THAT(cut, HasSubstr("How long calls were on a processor is not known"));
  EXPECT_THAT(cut, Not(HasSubstr("CPU")));
}

TEST_F(TraceReport, ProgramsGetAllOfIt) {
  const Json json = trace_json(profile_, 2);
  EXPECT_EQ(json["calls"], 1'000'091);
  ASSERT_EQ(json["methods"].size(), 2u);
  EXPECT_EQ(json["methods"][0]["match"], "Shop.Db.Query");
  EXPECT_EQ(json["methods"][0]["raw_self_seconds"], 0.41);
  EXPECT_EQ(json["methods"][1]["exceptions"], 1);
  EXPECT_TRUE(json["methods"][1]["median_seconds"].is_null());
  EXPECT_EQ(json["tree"].size(), 8u);
  EXPECT_EQ(json["tree"][2]["parent"], 1);
  EXPECT_EQ(json["threads"][1]["name"], ".NET TP Worker");
  EXPECT_EQ(json["slow_calls"][0]["waiting_seconds"], 0.11);
  EXPECT_EQ(json["slow_calls"][1]["outcome"], "exception");
  EXPECT_EQ(json["slow_calls"][1]["exception"]["type"], "System.TimeoutException");
  EXPECT_EQ(json["slow_calls"][1]["stack"], Json({"Shop.Program.Main()"}));
}

TEST_F(TraceReport, IsWhatReportShowsOfSuchARecording) {
  ReportOptions options;
  options.file = file_.path();
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(report(options), 0);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("Methods, by their own time"));
  options.tree = true;
  options.filter.value = "calls";
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(report(options), 0);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("100.0% 1,000,081"));
}

TEST(TraceReports, ARecordingWithoutTracedCallsHasNone) {
  const testing::RecordingFile file;
  EXPECT_FALSE(profile::has_traces(file.path()));
  EXPECT_THAT(load_trace(file.path()).message(), HasSubstr("no calls were traced"));
}

}  // namespace
}  // namespace walkabout::cli
