// The program itself, as a shell sees it: exit codes, what goes where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/test_report.h"
#include "console/exit_codes.h"

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;

struct Outcome {
  int code = -1;
  std::string text;
};

// Runs `walkabout ARGUMENTS` in a shell.
Outcome walkabout(const std::string& arguments) {
  FILE* pipe = ::popen((WALKABOUT_BIN_DIR "/walkabout " + arguments).c_str(), "r");
  Outcome outcome;
  char part[4096];
  for (size_t n = 0; (n = ::fread(part, 1, sizeof part, pipe)) > 0;) outcome.text.append(part, n);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  return outcome;
}
Outcome errors_of(const std::string& arguments) { return walkabout(arguments + " 2>&1 >/dev/null"); }

TEST(Program, EveryVerbHasHelpWithExamplesAndExitCodes) {
  for (const std::string verb :
       {"run", "attach", "check", "report", "stats", "convert", "verify", "version"}) {
    const Outcome help = walkabout(verb + " --help");
    EXPECT_EQ(help.code, kSuccess) << verb;
    EXPECT_THAT(help.text, HasSubstr("Example")) << verb;
    EXPECT_THAT(help.text, HasSubstr("Exit code")) << verb;
    EXPECT_THAT(walkabout("--help").text, HasSubstr(verb));
  }
}

TEST(Program, ConvertsOneEventOrRefuses) {
  const testing::RecordingFile file(testing::two_event_stream());
  const std::string out = file.path() + ".collapsed";
  const auto written = [&](const std::string& options) {
    const Outcome done = walkabout("convert " + file.path() + " " + out + options + " 2>&1 && cat " + out);
    std::filesystem::remove(out);
    return done.text;
  };
  EXPECT_EQ(written(""), "Demo.Program.Main() 30000\n");
  EXPECT_THAT(written(" --event wall"), HasSubstr("Demo.Program.Main();Demo.Program.Read() 3000000\n"));
  EXPECT_THAT(written(" --event lock"), HasSubstr("no event 'lock'; it has: cpu, wall"));
  const Outcome refused = errors_of("convert " + file.path() + " " + file.path() + ".html --event wall");
  EXPECT_EQ(refused.code, kUsage);
  EXPECT_THAT(refused.text, HasSubstr("kinds that hold one event"));
}

TEST(Program, WrongUseIsTwo) {
  EXPECT_EQ(errors_of("").code, kUsage);
  EXPECT_EQ(errors_of("report").code, kUsage);
  EXPECT_EQ(errors_of("report x.walk --from never").code, kUsage);
  EXPECT_EQ(errors_of("convert a.walk b.svg").code, kUsage);
  const Outcome unknown = errors_of("fly");
  EXPECT_EQ(unknown.code, kUsage);
  EXPECT_THAT(unknown.text, HasSubstr("there is no verb 'fly'"));
  EXPECT_EQ(errors_of("report --form 3 x.walk").code, kUsage);
  EXPECT_THAT(errors_of("run true --bogus").text, HasSubstr("walkabout run -- true --bogus"));
}

TEST(Program, ReportsWhatIsMissing) {
  EXPECT_EQ(
      errors_of("").text,
      "walkabout: a verb is missing: walkabout run -- COMMAND profiles a command (walkabout --help lists "
      "all verbs)\n");
  EXPECT_EQ(errors_of("attach -d 1s").text,
            "walkabout: walkabout attach needs PID|NAME: the process, by its id here (also of one in a "
            "container) or its name (walkabout attach --help has examples)\n");
  EXPECT_EQ(errors_of("run -q").text,
            "walkabout: walkabout run needs COMMAND: the command and its arguments, after -- (walkabout run "
            "--help has examples)\n");
  EXPECT_THAT(errors_of("convert b.walk").text, HasSubstr("walkabout: walkabout convert needs OUT: what to"));
  EXPECT_EQ(errors_of("report").text,
            "walkabout: walkabout report needs FILE.walk: the recording (walkabout report --help has "
            "examples)\n");
}

TEST(Program, ReportsWhichValueIsWrong) {
  EXPECT_EQ(errors_of("report --process abc x.walk").text,
            "walkabout: --process: 'abc' is no whole number (walkabout report --help lists what there is)\n");
  EXPECT_THAT(errors_of("report --top 99999999999999999999999 x.walk").text, HasSubstr("is too large"));
  EXPECT_THAT(errors_of("run --depth 5 -- true").text, ::testing::StartsWith("walkabout: --depth"));
  EXPECT_THAT(errors_of("run --engine steam -- true").text, ::testing::StartsWith("walkabout: --engine"));
  EXPECT_THAT(errors_of("report a.walk b.walk").text, ::testing::StartsWith("walkabout: "));
}

TEST(Program, WhatCannotBeReadIsOneWithItsCause) {
  for (const std::string verb : {"report", "stats", "verify"}) {
    const Outcome outcome = errors_of(verb + " /no/such.walk");
    EXPECT_EQ(outcome.code, kFailure);
    EXPECT_EQ(outcome.text, "walkabout: cannot open /no/such.walk: No such file or directory\n");
  }
  EXPECT_EQ(errors_of("convert /no/such.walk x.html").code, kFailure);
}

TEST(Program, ReportsTablesTreesAndJson) {
  const testing::RecordingFile file;
  EXPECT_THAT(walkabout("report " + file.path()).text, HasSubstr("Top 3 by self time"));
  EXPECT_THAT(walkabout("report --tree " + file.path()).text, HasSubstr("called by the line above"));
  const auto json =
      nlohmann::json::parse(walkabout("report --json --thread 22 --from 2 --to 2600ms " + file.path()).text);
  EXPECT_EQ(json["total"]["samples"], 1);
  EXPECT_EQ(errors_of("report --focus '(' " + file.path()).code, kUsage);
}

TEST(Program, ReportsWhatIsWrongWithASpanOfTime) {
  const testing::RecordingFile file;
  const Outcome reversed = errors_of("report --from 9 --to 3 " + file.path());
  EXPECT_EQ(reversed.code, kUsage);
  EXPECT_EQ(reversed.text,
            "walkabout: --from 9.00 s is not before --to 3.00 s; the recording lasts 3.10 s\n");
  EXPECT_THAT(errors_of("report --from 9 " + file.path()).text,
              HasSubstr("behind the end: the recording lasts 3.10 s"));
}

TEST(Program, ReportsThatNothingMatchesAFocus) {
  const testing::RecordingFile file;
  const Outcome none = errors_of("report --focus nosuch " + file.path());
  EXPECT_EQ(none.code, kUsage);
  EXPECT_EQ(
      none.text,
      "walkabout: no stack has a frame that matches --focus 'nosuch'; walkabout report without it shows "
      "the names there are\n");
  EXPECT_THAT(errors_of("report --json --from 3 --focus qsort " + file.path()).text,
              HasSubstr("'qsort' among those of --thread, --from and --to"));
  EXPECT_EQ(walkabout("report --focus qsort " + file.path()).code, kSuccess);
}

TEST(Program, StatsAreJsonToo) {
  const testing::RecordingFile file;
  EXPECT_EQ(nlohmann::json::parse(walkabout("stats --json " + file.path()).text)["attempts"], 6);
  EXPECT_THAT(walkabout("stats " + file.path()).text, HasSubstr("rooted"));
}

TEST(Program, VerifyReportsByItsExitCodeWhetherAllIsExplained) {
  const testing::RecordingFile file;
  EXPECT_EQ(walkabout("verify " + file.path()).code, kDifferent);
  const recording::testing::TestFile without;
  testing::write_recording(without.path(), "");
  const Outcome nothing = errors_of("verify " + without.path());
  EXPECT_EQ(nothing.code, kFailure);
  EXPECT_THAT(nothing.text, HasSubstr("run --oracle"));
}

TEST(Program, ConvertsToEveryKind) {
  const testing::RecordingFile file;
  for (const std::string suffix : {".html", ".collapsed", ".speedscope.json", ".pb.gz", ".walk"}) {
    const std::string out = file.path() + suffix;
    EXPECT_EQ(walkabout("convert " + file.path() + " " + out).code, kSuccess) << suffix;
    EXPECT_GT(std::filesystem::file_size(out), 100u) << suffix;
    std::filesystem::remove(out);
  }
  EXPECT_EQ(errors_of("convert " + file.path() + " /no/such/x.html").code, kFailure);
  EXPECT_EQ(errors_of("convert --threads " + file.path() + " x.html").code, kUsage);
}

TEST(Program, ARecordingConvertedToARecordingIsTheSameFile) {
  const testing::RecordingFile file;
  const recording::testing::TestFile copy;
  EXPECT_EQ(walkabout("convert " + file.path() + " " + copy.path()).code, kSuccess);
  EXPECT_EQ(copy.read(), file.read());
}

TEST(Program, ADamagedRecordingIsUsedAsFarAsItGoes) {
  const testing::RecordingFile whole;
  const recording::testing::TestFile cut(whole.read().substr(0, whole.read().size() - 1));
  const recording::testing::TestFile copy;
  const Outcome outcome = walkabout("convert " + cut.path() + " " + copy.path() + " 2>&1");
  EXPECT_EQ(outcome.code, kSuccess);
  EXPECT_THAT(outcome.text, HasSubstr("bytes could not be read: the file ends inside a block, at byte 16"));
  EXPECT_THAT(walkabout("report " + cut.path()).text, HasSubstr("Damaged: the last"));
}

TEST(Program, AFullDiskBehindStandardOutputIsAFailure) {
  const testing::RecordingFile file;
  const Outcome outcome = walkabout("report " + file.path() + " 2>&1 >/dev/full");
  EXPECT_EQ(outcome.code, kFailure);
  EXPECT_THAT(outcome.text, HasSubstr("cannot write to standard output: No space left on device"));
}

TEST(Program, AClosedStandardOutputIsAFailureToo) {
  const testing::RecordingFile file;
  const Outcome outcome = walkabout("report " + file.path() + " 2>&1 >&-");
  EXPECT_EQ(outcome.code, kFailure);
  EXPECT_THAT(outcome.text, HasSubstr("cannot write to standard output: Bad file descriptor"));
}

TEST(Program, AStandardErrorThatTakesNothingChangesNothing) {
  const testing::RecordingFile file;
  for (const std::string to : {"2>/dev/full", "2>&-", "<&- >&- 2>&-"}) {
    const std::string out = file.path() + ".collapsed";
    const std::string command = "convert " + file.path() + " " + out;
    EXPECT_EQ(walkabout(command + " " + to).code, kSuccess) << to;
    EXPECT_GT(std::filesystem::file_size(out), 20u) << to;
    std::filesystem::remove(out);
    EXPECT_EQ(walkabout("report /no/such.walk " + to).code, kFailure) << to;
  }
}

TEST(Program, ReportsItsVersion) {
  EXPECT_THAT(walkabout("version").text, HasSubstr("walkabout " WALKABOUT_VERSION));
  EXPECT_EQ(walkabout("--version").text, walkabout("version").text);
}

}  // namespace
}  // namespace walkabout::cli
