#include "cli/usage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "cli/linux/attach.h"
#include "cli/linux/check.h"
#include "cli/linux/run.h"
#include "cli/report.h"

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;

// Empty: there is no error.
std::string usage_error(const std::vector<std::string>& arguments) {
  CommandLine line("", "walkabout");
  line.version("1");
  add_run(line);
  add_attach(line);
  add_check(line);
  add_report(line);
  return line.misunderstood(arguments).value_or("");
}

TEST(Usage, UnderstandsWhatIsRight) {
  EXPECT_EQ(usage_error({}), "");
  EXPECT_EQ(usage_error({"--version"}), "");
  EXPECT_EQ(usage_error({"--help"}), "");
  EXPECT_EQ(usage_error({"run", "-o", "a.walk", "--interval=1ms", "--", "dotnet", "x.dll", "--bogus"}), "");
  EXPECT_EQ(usage_error({"run", "-oa.walk", "dotnet", "x.dll"}), "");
  EXPECT_EQ(usage_error({"report", "a.walk", "--from", "-5", "--tree"}), "");
  EXPECT_EQ(usage_error({"check", "12"}), "");
}

TEST(Usage, NamesTheNearestVerb) {
  EXPECT_EQ(usage_error({"reprot", "a.walk"}),
            "there is no verb 'reprot'; did you mean report? (walkabout --help lists them)");
  EXPECT_EQ(usage_error({"fly"}), "there is no verb 'fly' (walkabout --help lists them)");
}

TEST(Usage, NamesTheNearestOption) {
  EXPECT_EQ(
      usage_error({"run", "--intervall", "5ms", "--", "true"}),
      "walkabout run has no option --intervall; did you mean --interval? (walkabout run --help lists them)");
  EXPECT_EQ(
      usage_error({"report", "a.walk", "--form=3"}),
      "walkabout report has no option --form=3; did you mean --from? (walkabout report --help lists them)");
  EXPECT_EQ(usage_error({"--bogus"}), "there is no option --bogus (walkabout --help lists them)");
  EXPECT_THAT(usage_error({"attach", "--bogus", "12"}), HasSubstr("attach has no option --bogus"));
}

TEST(Usage, AnOptionOfOneLetterIsNearToNone) {
  EXPECT_EQ(usage_error({"run", "-d", "5s", "--", "true"}),
            "walkabout run has no option -d; attach has it (walkabout run --help lists them)");
  EXPECT_EQ(usage_error({"attach", "-1"}),
            "walkabout attach has no option -1 (walkabout attach --help lists them)");
  EXPECT_EQ(usage_error({"-o", "a.html", "dotnet"}),
            "there is no option -o; run and attach have it (walkabout --help lists them)");
}

TEST(Usage, AValueIsNotTheDashes) {
  EXPECT_EQ(usage_error({"run", "-o", "--", "true"}),
            "-o needs a value behind it, but there is only -- (walkabout run --help says which)");
  EXPECT_EQ(usage_error({"attach", "12", "-d"}),
            "-d needs a value behind it (walkabout attach --help says which)");
  EXPECT_EQ(usage_error({"run", "--output=--", "--", "true"}), "");
}

TEST(Usage, ShowsACommandWithOptionsBehindDashes) {
  EXPECT_EQ(usage_error({"run", "-o", "a b.walk", "dotnet", "app.dll", "--port", "5"}),
            "'--port' behind 'dotnet' could be the command's or walkabout's: write the command behind --: "
            "walkabout run -o 'a b.walk' -- dotnet app.dll --port 5");
  EXPECT_THAT(usage_error({"run", "dotnet", "app.dll", "-o", "out"}),
              HasSubstr("run -- dotnet app.dll -o out"));
}

TEST(Usage, ExchangedLettersAreNear) {
  EXPECT_EQ(nearest("--form", {"--to", "--from"}), "--from");
  EXPECT_EQ(nearest("x", {"report"}), std::nullopt);
}

}  // namespace
}  // namespace walkabout::cli
