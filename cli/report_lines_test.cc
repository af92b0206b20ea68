// `report --lines`: the text to the letter, and the JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/report_view.h"
#include "cli/test_report.h"
#include "profile/build/load.h"
#include "profile/query/by_line.h"

namespace walkabout::cli {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;

// Lines 10, 11 and 12 of two instantiations of a method, the second one optimized; line 12 begins on the
// evaluation stack.
std::string stream() {
  recording::testing::Reencoder out;
  profile::testing::TestRecording emit(out);
  wire::Session session;
  session.kernel_ticks = true;
  session.command_line = "dotnet demo.dll";
  session.runtime = ".NET 10.0.1";
  session.interval_ns = 10'000'000;
  out.on_session(session);
  const auto thread = emit.thread("main", 1);
  const base::AssemblyId assembly(1);
  out.on_assembly({assembly, "/app/Demo.dll", "0123456789abcdef"});
  const auto code = [&](uint32_t id, const char* name, wire::Tier tier) {
    out.on_method({base::MethodId(id), "Demo.Program", name, "", "Demo.dll", 0, "", 0x06000001, assembly});
    out.on_jit_code({base::CodeId(id), base::MethodId(id), tier, 0x1000 * id, 0x100});
    return base::CodeId(id);
  };
  const base::CodeId first = code(1, "Run<int>", wire::Tier::kTier0);
  const base::CodeId second = code(2, "Run<long>", wire::Tier::kTier1);
  const auto il = [](uint64_t offset) { return wire::kIlFirst + offset; };
  out.on_il_map({first, 0, {wire::kIlProlog, il(0), il(5), il(9)}, {0, 0x10, 0x20, 0x30}});
  out.on_il_map({second, 0, {il(0), il(5), wire::kIlNone}, {0, 0x20, 0x80}});
  const auto frame = [](base::CodeId of, uint32_t offset) {
    return wire::Frame::in_code(wire::FrameKind::kJitted, of, offset);
  };
  // The caller returns to line 11's first byte: the call is line 10's.
  const auto root = emit.push({}, frame(first, 0x20));
  emit.sample(thread, 1'000, 40 * kMillisecond, emit.push(root, frame(first, 0x24)));
  emit.sample(thread, 2'000, 30 * kMillisecond, emit.push(root, frame(second, 0x24)));
  emit.sample(thread, 3'000, 15 * kMillisecond, emit.push(root, frame(second, 0x04)));
  emit.sample(thread, 4'000, 10 * kMillisecond, emit.push(root, frame(first, 0x04)));
  emit.sample(thread, 5'000, 5 * kMillisecond, emit.push(root, frame(second, 0x90)));
  wire::Counters counters;
  counters.attempts = counters.samples = 5;
  out.on_counters(counters);
  out.on_end({10'000});
  wire::SourceLines lines;
  lines.assembly = assembly;
  lines.documents = {{"/src/Program.cs", wire::HashKind::kSha256, "hash", ""}};
  lines.methods = {{0x06000001, {0, 5, 9}, {10, 11, 12}, {1}, {0, 0, wire::kBeginsOnStack}, {}}};
  out.on_source_lines(lines);
  return out.bytes;
}

struct LoadedLines {
  explicit LoadedLines(const ReportOptions& requested) : options(requested) {
    const testing::RecordingFile file(stream());
    auto loaded = profile::load(file.path(), {.lines = options.lines});
    EXPECT_TRUE(loaded.ok()) << loaded.message();
    profile = options.lines && !options.tree ? profile::by_line(std::move(*loaded)) : std::move(*loaded);
    totals = profile::sum_up(profile);
  }
  std::string text() const { return report_text(profile, profile, totals, options, {}); }
  Json json() const { return report_json(profile, profile, totals, options); }

  ReportOptions options;
  profile::Profile profile;
  profile::Totals totals;
};

TEST(ReportLines, ShowsTheHeaviestLines) {
  EXPECT_EQ(
      LoadedLines({.lines = true}).text(),
      "dotnet demo.dll\n"
      ".NET 10.0.1, 10.0 ms, 1 of 1 thread sampled, 5 samples, one every 10.0 ms of CPU time (perf)\n"
      "\n"
      "CPU time 100 ms   managed 100.0%\n"
      "your code 100.0%\n"
      "\n"
      "Top 4 lines by self time\n"
      "            self             total  line, method\n"
      "  40.0%  40.0 ms    40.0%  40.0 ms   Program.cs:11  Demo.Program.Run<int>()  Demo.dll  tier-0\n"
      "  30.0%  30.0 ms    30.0%  30.0 ms   Program.cs:11 or 12  Demo.Program.Run<long>()  Demo.dll  tier-1\n"
      "  15.0%  15.0 ms   100.0%   100 ms   Program.cs:10  Demo.Program.Run<int>()  Demo.dll  tier-0, "
      "tier-1\n"
      "  10.0%  10.0 ms    10.0%  10.0 ms   Program.cs:10 or near  Demo.Program.Run<int>()  Demo.dll  "
      "tier-0\n"
      "\n"
      "Top 4 lines by total time\n"
      "            self             total  line, method\n"
      "  15.0%  15.0 ms   100.0%   100 ms   Program.cs:10  Demo.Program.Run<int>()  Demo.dll  tier-0, "
      "tier-1\n"
      "  40.0%  40.0 ms    40.0%  40.0 ms   Program.cs:11  Demo.Program.Run<int>()  Demo.dll  tier-0\n"
      "  30.0%  30.0 ms    30.0%  30.0 ms   Program.cs:11 or 12  Demo.Program.Run<long>()  Demo.dll  tier-1\n"
      "  10.0%  10.0 ms    10.0%  10.0 ms   Program.cs:10 or near  Demo.Program.Run<int>()  Demo.dll  "
      "tier-0\n"
      "\n"
      "Of the time of managed code itself 55.0% has its line, 40.0% is of one of several lines, of "
      "5.0% no line is known.\n");
}

TEST(ReportLines, JsonHasFileAndLines) {
  const Json json = LoadedLines({.lines = true, .json = true}).json();
  ASSERT_EQ(json["lines_self"].size(), 4u);
  const Json& second = json["lines_self"][1];
  EXPECT_EQ(second["file"], "/src/Program.cs");
  EXPECT_EQ(second["lines"], Json({11, 12}));
  EXPECT_EQ(second["sure"], false);
  EXPECT_EQ(json["lines_self"][0]["sure"], true);
  EXPECT_DOUBLE_EQ(json["line_cover"]["sure"]["seconds"].get<double>(), 0.055);
  EXPECT_FALSE(json.contains("top_self"));
}

TEST(ReportLines, WithoutThemAMethodIsOneFunction) {
  const Json json = LoadedLines({.json = true}).json();
  ASSERT_EQ(json["top_self"].size(), 2u);
  EXPECT_FALSE(json["top_self"][0].contains("lines"));
  EXPECT_FALSE(json.contains("line_cover"));
}

TEST(ReportLines, ATreeHasTheLineOfEachFrame) {
  const Json json = LoadedLines({.tree = true, .lines = true, .json = true}).json();
  EXPECT_EQ(json["tree"][0]["lines"], Json({10}));
  EXPECT_EQ(json["tree"][1]["lines"], Json({11}));
}

}  // namespace
}  // namespace walkabout::cli
