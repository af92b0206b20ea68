#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/report_view.h"
#include "cli/test_report.h"
#include "profile/build/builder.h"
#include "profile/build/load.h"
#include "wire/sources.h"

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Loaded {
  explicit Loaded(const ReportOptions& requested = {}, const std::string& stream = testing::small_stream())
      : options(requested) {
    const testing::RecordingFile file(stream);
    auto loaded = profile::load(file.path(), {.unfold = options.unfold});
    EXPECT_TRUE(loaded.ok()) << loaded.message();
    auto kept = profile::filtered(std::move(*loaded), options.filter);
    EXPECT_TRUE(kept.ok()) << kept.message();
    profile = std::move(*kept);
    totals = profile::sum_up(profile);
  }
  std::string text(Terminal terminal = {}) const {
    return report_text(profile, profile, totals, options, terminal);
  }
  Json json() const { return report_json(profile, profile, totals, options); }

  ReportOptions options;
  profile::Profile profile;
  profile::Totals totals;
};

Loaded two_events(const std::string& event) {
  return Loaded({.filter = {.event = event}}, testing::two_event_stream());
}

TEST(Report, ShowsWhereTheTimeWent) {
  EXPECT_EQ(Loaded().text(),
            "dotnet demo.dll\n"
            ".NET 10.0.1, 3.10 s, 2 of 2 threads sampled, 4 samples, one every 10.0 ms of CPU time (perf)\n"
            "\n"
            "CPU time 100 ms   managed 10.0%   native 70.0%   runtime 20.0%\n"
            "your code 10.0%   native code 70.0%   runtime 20.0%\n"
            "\n"
            "Top 3 by self time\n"
            "            self             total  function\n"
            "  70.0%  70.0 ms    70.0%  70.0 ms   qsort  libc.so.6\n"
            "  20.0%  20.0 ms    20.0%  20.0 ms   [libcoreclr.so]\n"
            "  10.0%  10.0 ms    80.0%  80.0 ms   Demo.Sorter.Sort()  Demo.dll  tier-0\n"
            "\n"
            "Top 5 by total time\n"
            "            self             total  function\n"
            "   0.0%      0 s   100.0%   100 ms   Demo.Program.Main()  Demo.dll  tier-0\n"
            "  10.0%  10.0 ms    80.0%  80.0 ms   Demo.Sorter.Sort()  Demo.dll  tier-0\n"
            "  70.0%  70.0 ms    70.0%  70.0 ms   qsort  libc.so.6\n"
            "  20.0%  20.0 ms    20.0%  20.0 ms   [libcoreclr.so]\n"
            "   0.0%      0 s    20.0%  20.0 ms   [cut off: bad return]\n"
            "\n"
            "1 stack (25.00%) could not be walked to the thread's entry: [cut off: …].\n"
            "2 ticks dropped (walkabout stats says why).\n"
            "1.00 ms of CPU time of threads that were never sampled is in no stack.\n"
            "Without symbols, unnamed frames folded to [library] (--unfold shows them): libcoreclr.so\n"
            "Warning: the kernel caps the rate\n");
}

TEST(Report, TreeShowsCallersAboveCallees) {
  Loaded loaded({.tree = true});
  EXPECT_THAT(loaded.text(),
              HasSubstr("           total    self  called by the line above it\n"
                        "  80.0%  80.0 ms    0.0%  ├ Demo.Program.Main()  Demo.dll  tier-0\n"));
}

TEST(Report, TreeLeavesOutTheLight) {
  Loaded loaded({.tree = true, .min_percent = 50});
  const std::string text = loaded.text();
  EXPECT_THAT(text, HasSubstr("qsort"));
  EXPECT_THAT(text, Not(HasSubstr("libcoreclr.so]\n")));
  EXPECT_THAT(text, HasSubstr("Below 50% is not shown"));
}

TEST(Report, OfTheProgramsCodeAloneRunsAreOneFrame) {
  Loaded loaded({.tree = true});
  const profile::Profile shown = profile::folded(loaded.profile, profile::Folding::kMyCode);
  const profile::Totals totals = profile::sum_up(shown);
  const std::string tree = report_text(shown, loaded.profile, totals, loaded.options, {});
  EXPECT_THAT(tree, HasSubstr("Demo.Sorter.Sort()  Demo.dll  tier-0\n"));
  EXPECT_THAT(tree, HasSubstr("(+1 libc.so.6)\n"));
  EXPECT_THAT(tree, Not(HasSubstr("qsort")));
  EXPECT_THAT(tree, HasSubstr("[cut off: bad return]")) << "no frame";
  const Json json = report_json(shown, loaded.profile, totals, {.top = 3});
  EXPECT_EQ(json["total"]["seconds"], 0.1);
  EXPECT_EQ(json["top_self"][0]["name"], "(libc.so.6)");
}

TEST(Report, JsonSaysWhatTheTextSays) {
  const Loaded loaded;
  EXPECT_FALSE(loaded.json().contains("hints"));
  const Json json =
      report_json(loaded.profile, loaded.profile, loaded.totals, loaded.options, {}, {"Nothing is mine."});
  EXPECT_EQ(json["hints"], Json::array({"Nothing is mine."}));
}

TEST(Report, OfFoldedStacksTheWaitsAreThoseOfTheWhole) {
  const Loaded loaded = two_events("wall");
  const profile::Profile shown = profile::folded(loaded.profile, profile::Folding::kMyCode);
  const std::string text = report_text(shown, loaded.profile, profile::sum_up(shown), loaded.options, {});
  EXPECT_THAT(text, HasSubstr("  66.7%   6.00 s  System.Threading.Monitor.Enter()\n"
                              "                    Demo.Program.Main()\n"));
}

TEST(Report, FitsItsTerminal) {
  for (const size_t width : {60u, 80u, 132u}) {
    for (const bool tree : {false, true}) {
      Loaded loaded({.tree = tree});
      for (profile::DisplayFrame& frame : loaded.profile.frames) frame.name += std::string(300, 'x');
      std::string text = loaded.text({width, false});
      text.resize(text.find("could not be walked"));
      size_t begin = text.find("\n\n", text.find("\n\n") + 1);  // the tables
      for (size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        EXPECT_LE(text_width(text.substr(begin, end - begin)), width) << text.substr(begin, end - begin);
      }
    }
  }
}

TEST(Report, ColoursOnlyWhereTheyShow) {
  EXPECT_THAT(Loaded().text(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(Loaded().text({100, true}), HasSubstr("\x1b[32mDemo.Sorter.Sort()\x1b[0m"));
}

TEST(Report, ReportsWhatIsNotRightWithTheRecording) {
  const std::string text = Loaded().text();
  EXPECT_THAT(text, HasSubstr("1 stack (25.00%) could not be walked to the thread's entry"));
  EXPECT_THAT(text, HasSubstr("2 ticks dropped"));
  EXPECT_THAT(text, HasSubstr("1.00 ms of CPU time of threads that were never sampled"));
  EXPECT_THAT(text, HasSubstr("(--unfold shows them): libcoreclr.so"));
  EXPECT_THAT(text, HasSubstr("Warning: the kernel caps the rate"));
  EXPECT_THAT(text, Not(HasSubstr("cut off: the agent")));
}

TEST(Report, ShowsAnotherEventInItsWords) {
  EXPECT_EQ(two_events("wall").text(),
            "dotnet demo.dll\n"
            ".NET 10.0.1, 10.0 s, 2 of 2 threads sampled, 4 samples, one every 50.0 ms of wall time\n"
            "\n"
            "Wall time 10.0 s   managed 100.0%\n"
            "your code 100.0%\n"
            "running 9.0%   runnable 1.0%   blocked 90.0%\n"
            "\n"
            "Top 3 by self time\n"
            "            self             total  function\n"
            "  60.0%   6.00 s    60.0%   6.00 s   System.Threading.Monitor.Enter()  Demo.dll  tier-0\n"
            "  30.0%   3.00 s    30.0%   3.00 s   Demo.Program.Read()  Demo.dll  tier-0\n"
            "  10.0%   1.00 s   100.0%   10.0 s   Demo.Program.Main()  Demo.dll  tier-0\n"
            "\n"
            "Top 3 by total time\n"
            "            self             total  function\n"
            "  10.0%   1.00 s   100.0%   10.0 s   Demo.Program.Main()  Demo.dll  tier-0\n"
            "  60.0%   6.00 s    60.0%   6.00 s   System.Threading.Monitor.Enter()  Demo.dll  tier-0\n"
            "  30.0%   3.00 s    30.0%   3.00 s   Demo.Program.Read()  Demo.dll  tier-0\n"
            "\n"
            "Blocked time by call\n"
            "                  system call\n"
            "  66.7%   6.00 s  futex\n"
            "  33.3%   3.00 s  read\n"
            "\n"
            "Blocked time by lock\n"
            "                  waits in, called by\n"
            "  66.7%   6.00 s  System.Threading.Monitor.Enter()\n"
            "                    Demo.Program.Main()\n"
            "  33.3%   3.00 s  Demo.Program.Read()\n"
            "                    Demo.Program.Main()\n"
            "\n"
            "3 samples dropped (walkabout stats says why).\n"
            "Also recorded: cpu (2 samples). Show it with --event cpu.\n");
}

TEST(Report, OfCpuTimeReportsWhatElseThereIs) {
  const std::string text = two_events("").text();
  EXPECT_THAT(text, HasSubstr("CPU time 30.0 ms"));
  EXPECT_THAT(text, HasSubstr("\nAlso recorded: wall (4 samples). Show it with --event wall.\n"));
  EXPECT_THAT(text, Not(HasSubstr("Blocked")));
  EXPECT_THAT(Loaded().text(), Not(HasSubstr("Also recorded")));
}

TEST(Report, JsonOfAnotherEventNamesIt) {
  const Json json = two_events("wall").json();
  EXPECT_EQ(json["event"], "wall");
  EXPECT_EQ(json["value"], "wall time");
  EXPECT_EQ(json["unit"], "nanoseconds");
  EXPECT_DOUBLE_EQ(json["period"], 0.05);
  EXPECT_DOUBLE_EQ(json["total"]["seconds"], 10);
  EXPECT_EQ(json["events"], Json::parse(R"(["cpu","wall"])"));
  EXPECT_DOUBLE_EQ(json["states"]["blocked"]["seconds"], 9);
  EXPECT_EQ(json["states"]["runnable"]["samples"], 1);
  EXPECT_EQ(json["blocked_by_call"][0], Json::parse(R"({"call":"futex","seconds":6.0,"samples":1})"));
  EXPECT_EQ(json["blocked_by_lock"][0]["method"], "System.Threading.Monitor.Enter()");
  EXPECT_EQ(json["blocked_by_lock"][0]["caller"], "Demo.Program.Main()");
  EXPECT_EQ(json["threads"][1].count("unsampled_seconds"), 0u);
}

TEST(Report, JsonOfCpuTimeHasNoKeyOfOthers) {
  const Json json = two_events("").json();
  for (const char* key : {"event", "value", "unit", "period", "states", "blocked_by_call", "blocked_by_lock"})
    EXPECT_EQ(json.count(key), 0u) << key;
  EXPECT_EQ(json.count("events"), 1u);
  EXPECT_EQ(Loaded().json().count("events"), 0u);
}

// Amounts that are no time.
TEST(Report, CountsBytesInTheirUnit) {
  Loaded loaded = two_events("wall");
  wire::Source& source = loaded.profile.sources[1];
  source.values = {{"allocated", "bytes", wire::Adding::kSum}};
  source.clock = 0;
  source.period = 512 * 1024;
  source.labels.clear();
  const std::string text = loaded.text();
  EXPECT_THAT(text, HasSubstr(", one every 512 KiB\n"));
  EXPECT_THAT(text, HasSubstr("Allocated 9.31 GiB"));
  EXPECT_THAT(text, HasSubstr("by self allocated"));
  const Json json = loaded.json();
  EXPECT_EQ(json["total"], Json::parse(R"({"bytes":10000000000,"samples":4})"));
  EXPECT_EQ(json["period"], 512 * 1024);
}

TEST(Report, SizesOverTimeAreOfOneProcess) {
  Loaded loaded = two_events("wall");
  loaded.profile.gauges = {{{"heap", "bytes", wire::Adding::kMax}}, {1'000, 2'000}, {1024, 2048}};
  EXPECT_THAT(loaded.text(), HasSubstr("\nOver time, 2 measurements\n"));
  EXPECT_EQ(loaded.json()["over_time"]["measured"].size(), 2u);
  loaded.profile.processes = 2;
  EXPECT_THAT(loaded.text(), HasSubstr("choose one with --process PID"));
  EXPECT_THAT(loaded.text(), Not(HasSubstr("Over time,")));
  EXPECT_EQ(loaded.json().count("over_time"), 0u);
}

TEST(Report, LiveObjectsAreThoseOfTheRecording) {
  Loaded loaded = two_events("wall");
  EXPECT_THAT(loaded.text(), Not(HasSubstr("allocated since")));
  for (wire::Source& source : loaded.profile.sources)
    if (source.name == "wall") source.id = wire::source_id("live");
  EXPECT_THAT(loaded.text(), HasSubstr(", of the objects that were allocated since the recording began\n"));
}

TEST(Report, ExplainsAnEmptyOne) {
  EXPECT_THAT(Loaded({.filter = {.focus = "nothing"}}).text(), HasSubstr("No samples match: try without"));
  const ReportOptions options;
  profile::Builder builder({});
  const profile::Profile empty = builder.build("");
  EXPECT_THAT(report_text(empty, empty, profile::sum_up(empty), options, {}),
              HasSubstr("No samples in this recording."));
}

TEST(Report, JsonHasWhatTheTablesHave) {
  const Json json = Loaded().json();
  EXPECT_EQ(json["command_line"], "dotnet demo.dll");
  EXPECT_DOUBLE_EQ(json["total"]["seconds"], 0.1);
  EXPECT_EQ(json["total"]["samples"], 4);
  EXPECT_DOUBLE_EQ(json["activity"]["native"]["seconds"], 0.07);
  EXPECT_EQ(json["activity"]["gc"]["samples"], 0);
  EXPECT_EQ(json["rooted"], 3);
  EXPECT_EQ(json["top_self"][0]["name"], "qsort");
  EXPECT_EQ(json["top_self"][0]["module"], "libc.so.6");
  EXPECT_EQ(json["top_self"][0]["kind"], "native");
  EXPECT_DOUBLE_EQ(json["top_total"][0]["total"]["seconds"], 0.1);
  EXPECT_EQ(json["threads"][1]["name"], "Sorter");
  EXPECT_DOUBLE_EQ(json["threads"][2]["unsampled_seconds"], 0.001);
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json.count("tree"), 0u);
}

TEST(Report, JsonTreeNamesParents) {
  const Json tree = Loaded({.tree = true}).json()["tree"];
  for (size_t i = 0; i < tree.size(); ++i) EXPECT_LT(tree[i]["parent"], static_cast<int>(i));
  EXPECT_EQ(tree[0]["name"], "Demo.Program.Main()");
  EXPECT_EQ(tree[0]["parent"], -1);
  EXPECT_EQ(tree[1]["name"], "Demo.Sorter.Sort()");
  EXPECT_EQ(tree[1]["parent"], 0);
  EXPECT_EQ(tree[2]["name"], "qsort");
  EXPECT_EQ(tree[2]["total"]["samples"], 2);
}

TEST(TreeRows, SumUpWhatTheyHide) {
  profile::Builder builder({});
  profile::testing::TestRecording emit(builder);
  const auto thread = emit.thread("t", 1);
  const auto root = emit.stack({emit.jitted("A", "Main")});
  for (int i = 0; i < 10; ++i)
    emit.sample(thread, 1, 1, emit.push(root, emit.jitted("A", "B" + std::to_string(i))));
  emit.sample(thread, 1, 90, emit.push(root, emit.jitted("A", "Big")));
  const profile::Profile p = builder.build("");
  const std::vector<TreeRow> rows = tree_rows(p, profile::sum_up(p), 2);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].indentation, "");
  EXPECT_EQ(rows[1].indentation, "├ ");
  EXPECT_EQ(rows[2].indentation, "└ ");
  EXPECT_EQ(rows[2].hidden, 10u);
  EXPECT_EQ(rows[2].amount.weight, 10u);
  EXPECT_EQ(rows[2].parent, 0);
}

TEST(TreeRows, AVeryDeepStackIsNoProblem) {
  profile::Builder builder({});
  profile::testing::TestRecording emit(builder);
  const auto thread = emit.thread("t", 1);
  const wire::Frame a = emit.jitted("A", "A");
  const wire::Frame b = emit.jitted("A", "B");
  base::StackId stack;
  for (int i = 0; i < 100'000; ++i) {
    stack = emit.push(stack, a);
    emit.sample(thread, 1, 1, emit.push(stack, b));
  }
  const profile::Profile p = builder.build("");
  EXPECT_EQ(tree_rows(p, profile::sum_up(p), 0).size(), 20'000u);
}

}  // namespace
}  // namespace walkabout::cli
