#include "check/environment_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/agent_id.h"

namespace walkabout::cli {
namespace {

using namespace std::literals;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kOther =
    "CORECLR_ENABLE_PROFILING=1\0CORECLR_PROFILER={secret-id}\0CORECLR_PROFILER_PATH=/secret/path\0"s;

TEST(EnvironmentCheck, AnEmptyOneIsInOrder) {
  for (const Whose whose : {Whose::kShell, Whose::kProcess}) {
    for (const CheckResult& f : check_environment("", whose)) EXPECT_EQ(f.verdict, Verdict::kOk) << f.what;
  }
}

TEST(EnvironmentCheck, AnotherProfilerIsNamedByItsVariablesOnly) {
  EXPECT_EQ(check_environment(kOther, Whose::kShell)[0].verdict, Verdict::kWarn);
  const CheckResult found = check_environment(kOther, Whose::kProcess)[0];
  EXPECT_EQ(found.verdict, Verdict::kOk) << "attach comes next to it";
  EXPECT_THAT(found.what, HasSubstr("CORECLR_PROFILER_PATH"));
  EXPECT_THAT(found.what + found.remedy, Not(HasSubstr("secret")));
}

TEST(EnvironmentCheck, OneThatIsSwitchedOffIsNoObstacle) {
  const std::string off = "CORECLR_ENABLE_PROFILING=0\0CORECLR_PROFILER={x}\0"s;
  EXPECT_EQ(check_environment(off, Whose::kProcess)[0].verdict, Verdict::kOk);
}

TEST(EnvironmentCheck, SwitchesAreReadAsTheRuntimeReadsThem) {
  const std::string on = "CORECLR_ENABLE_PROFILING=0x1\0CORECLR_PROFILER={x}\0"s;
  EXPECT_EQ(check_environment(on, Whose::kShell)[0].verdict, Verdict::kWarn) << "run refuses it too";
}

TEST(EnvironmentCheck, OursIsKnown) {
  const std::string ours = "CORECLR_ENABLE_PROFILING=1\0CORECLR_PROFILER={"s + wire::kAgentClsid + "}" + '\0';
  EXPECT_THAT(check_environment(ours, Whose::kProcess)[0].what, HasSubstr("under walkabout"));
  EXPECT_EQ(check_environment(ours, Whose::kShell)[0].verdict, Verdict::kOk) << "run within run works";
}

TEST(EnvironmentCheck, DiagnosticsThatAreSwitchedOff) {
  const auto verdict = [](const std::string& block) {
    return check_environment(block + '\0', Whose::kShell)[1].verdict;
  };
  EXPECT_EQ(verdict("DOTNET_EnableDiagnostics=0"), Verdict::kNo);
  EXPECT_EQ(verdict("DOTNET_EnableDiagnostics_Profiler=0"), Verdict::kNo);
  EXPECT_EQ(verdict("DOTNET_EnableDiagnostics_IPC=0"), Verdict::kWarn);
  EXPECT_EQ(verdict("DOTNET_EnableDiagnostics=1"), Verdict::kOk);
  EXPECT_EQ(check_environment("DOTNET_EnableDiagnostics_Profiler=0\0"s, Whose::kProcess)[1].verdict,
            Verdict::kOk)
      << "only a runtime that starts looks at it";
  EXPECT_EQ(check_environment("DOTNET_EnableDiagnostics=0\0"s, Whose::kProcess)[1].verdict, Verdict::kNo);
  EXPECT_THAT(check_environment("COMPlus_EnableDiagnostics=0\0"s, Whose::kShell)[1].what,
              HasSubstr("COMPlus_EnableDiagnostics is 0"));
}

TEST(EnvironmentCheck, OurOwnIsRead) { EXPECT_THAT(own_environment(), HasSubstr("PATH=")); }

}  // namespace
}  // namespace walkabout::cli
