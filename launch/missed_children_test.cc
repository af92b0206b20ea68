#include "launch/missed_children.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace walkabout::cli {
namespace {

using namespace std::literals;
using ::testing::HasSubstr;

constexpr uint64_t kSecond = 1'000'000'000;
constexpr pid_t kCommand = 100;
const std::string kWithAgent = "CORECLR_ENABLE_PROFILING=1\0"s;

class MissedChildrenTest : public ::testing::Test {
 protected:
  void SetUp() override { process(kCommand, 1, "sh\0"s, ""); }
  void TearDown() override { std::filesystem::remove_all(folders_.proc); }

  void process(pid_t pid, pid_t parent, const std::string& command_line, const std::string& mapped,
               const std::string& environment = "", int start = 7, uint64_t flags = 0x400100) const {
    const std::filesystem::path folder = std::filesystem::path(folders_.proc) / std::to_string(pid);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "stat") << pid << " (a ) name) S " << parent << " 1 1 0 -1 " << flags
                                   << " 1 0 0 0 1 1 0 0 20 0 1 0 " << start << " 1 1\n";
    std::ofstream(folder / "cmdline") << command_line;
    std::ofstream(folder / "maps") << "7f00-7f01 r-xp 0 08:01 1 " << mapped << "\n";
    std::ofstream(folder / "environ") << environment;
  }
  void status(pid_t pid, uid_t user) const {
    std::ofstream(folders_.proc + "/" + std::to_string(pid) + "/status")
        << "Name:\tx\nUid:\t" << user << "\t" << user << "\n";
  }
  void rename(pid_t pid, const std::string& name) const {
    std::ofstream(folders_.proc + "/" + std::to_string(pid) + "/stat")
        << pid << " (" << name << ") S " << kCommand << " 1 1 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 1 0 7 1 1\n";
  }
  void gone(pid_t pid) const { std::filesystem::remove_all(folders_.proc + "/" + std::to_string(pid)); }
  // For so long that an agent would have come.
  void wait() {
    for (int i = 0; i < 6; ++i) missed_.look({}, now_ns_ += kSecond);
  }

  KernelFolders folders_{::testing::TempDir() + "missed_children_proc-" + std::to_string(::getpid()), ""};
  MissedChildren missed_{kCommand, false, folders_};
  uint64_t now_ns_ = 100 * kSecond;
};

TEST_F(MissedChildrenTest, ARuntimeWithoutAnAgentIsMissedWithItsReason) {
  process(101, kCommand, "dotnet\0build\0"s,
          "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.1/libcoreclr.so");
  process(102, 101, "/opt/old\0"s, "/opt/shared/Microsoft.NETCore.App/6.0.1/libcoreclr.so");
  process(103, 102, "/opt/off\0"s, "/opt/libcoreclr.so", "DOTNET_EnableDiagnostics=0\0"s);
  process(104, kCommand, "gcc\0"s, "/usr/lib/libc.so.6");
  process(105, 1, "/other\0"s, "/x/libcoreclr.so");
  wait();
  const auto found = missed_.found({});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "dotnet build");
  EXPECT_THAT(found[0].why, HasSubstr("left walkabout's variables out"));
  EXPECT_EQ(found[1].why, "its runtime is .NET 6.0.1, and 8 or later is needed");
  EXPECT_EQ(found[2].why, "DOTNET_EnableDiagnostics is 0 in its environment");
}

TEST_F(MissedChildrenTest, OneThatIsRecordedIsNot) {
  process(101, kCommand, "dotnet\0a.dll\0"s, "/x/libcoreclr.so");
  missed_.look({101}, now_ns_ += kSecond);
  wait();
  EXPECT_TRUE(missed_.found({101}).empty());
}

TEST_F(MissedChildrenTest, AnAgentHasTimeToCome) {
  process(101, kCommand, "dotnet\0a.dll\0"s, "/x/libcoreclr.so", kWithAgent);
  wait();
  EXPECT_EQ(missed_.found({}).size(), 1u);
  EXPECT_TRUE(missed_.found({101}).empty()) << "it came late";
}

TEST_F(MissedChildrenTest, AShortOneIsNamedWithWhatItsEnvironmentShows) {
  process(101, kCommand, "/opt/off\0"s, "/x/libcoreclr.so", "DOTNET_EnableDiagnostics=0\0"s + kWithAgent);
  process(102, kCommand, "/opt/bare\0"s, "/x/libcoreclr.so", "");
  process(103, kCommand, "/opt/early\0"s, "/x/libcoreclr.so", kWithAgent);
  process(104, kCommand, "/opt/recorded\0"s, "/x/libcoreclr.so", kWithAgent);
  missed_.look({}, now_ns_ += kSecond / 5);
  for (const pid_t pid : {101, 102, 103, 104}) gone(pid);
  missed_.look({}, now_ns_ += kSecond / 5);
  const auto found = missed_.found({104});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "off");
  EXPECT_EQ(found[0].why, "DOTNET_EnableDiagnostics is 0 in its environment");
  EXPECT_THAT(found[1].why, HasSubstr("left walkabout's variables out"));
  EXPECT_EQ(found[2].why, "it ended before the agent in it began to record");
}

TEST_F(MissedChildrenTest, OneThatGoesOnWhenTheCommandEndsHasNotEnded) {
  process(101, kCommand, "/opt/late\0"s, "/x/libcoreclr.so", kWithAgent);
  process(102, kCommand, "/opt/early\0"s, "/x/libcoreclr.so", kWithAgent);
  missed_.look({}, now_ns_ += kSecond);
  gone(102);
  const auto found = missed_.found({});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].why, "the command ended before the agent in it began to record");
  EXPECT_EQ(found[1].why, "it ended before the agent in it began to record");
}

TEST_F(MissedChildrenTest, AnotherUsersProcessIsReported) {
  process(101, kCommand, "/opt/app\0"s, "/x/libcoreclr.so /x/libwalkabout.so", kWithAgent);
  status(101, ::getuid() + 1);
  process(102, kCommand, "/opt/unreadable\0"s, "");
  std::filesystem::remove(folders_.proc + "/102/maps");
  std::filesystem::remove(folders_.proc + "/102/environ");
  std::filesystem::create_directories(folders_.proc + "/102/task/102");
  std::ofstream(folders_.proc + "/102/task/102/comm") << ".NET SynchManag\n";
  status(102, ::getuid() + 1);
  missed_.look({}, now_ns_ += kSecond);
  const auto found = missed_.found({});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0].why, HasSubstr("it runs as another user (" + std::to_string(::getuid() + 1) + ")"));
  EXPECT_THAT(found[1].why, HasSubstr("another user"));
}

TEST_F(MissedChildrenTest, ACopyOfADotNetProcessThatIsAboutToExecuteIsNone) {
  constexpr uint64_t kForkedNoExec = 0x400140;
  process(101, kCommand, "dotnet\0a.dll\0"s, "/x/libcoreclr.so", kWithAgent);
  process(102, 101, "dotnet\0a.dll\0"s, "/x/libcoreclr.so", kWithAgent, 7, kForkedNoExec);
  process(103, 101, "dotnet\0a.dll\0"s, "/x/libcoreclr.so", kWithAgent, 7, kForkedNoExec);
  missed_.look({101}, now_ns_ += kSecond);
  process(102, 101, "/bin/true\0"s, "/bin/true");
  gone(103);
  missed_.look({101}, now_ns_ += kSecond);
  EXPECT_TRUE(missed_.found({101}).empty());
}

TEST_F(MissedChildrenTest, AProgramThatIsExecutedLateIsLookedAtAnew) {
  process(101, kCommand, "sh\0"s, "/bin/sh");
  for (int i = 0; i < 60; ++i) missed_.look({}, now_ns_ += kSecond);
  process(101, kCommand, "dotnet\0a.dll\0"s, "/x/libcoreclr.so", "", 7, 0x400100);
  rename(101, "dotnet");
  missed_.look({}, now_ns_ += kSecond);
  EXPECT_EQ(missed_.found({}).size(), 1u);
}

TEST_F(MissedChildrenTest, WhoseParentIsGoneIsStillOneOfThem) {
  process(101, kCommand, "sh\0"s, "/bin/sh");
  process(102, 101, "/opt/server\0"s, "/bin/sh");
  missed_.look({}, now_ns_ += kSecond);
  gone(101);
  process(102, 1, "/opt/server\0"s, "/x/libcoreclr.so");
  wait();
  ASSERT_EQ(missed_.found({}).size(), 1u);
  EXPECT_EQ(missed_.found({})[0].name, "server");
}

TEST_F(MissedChildrenTest, ANumberThatIsUsedAgainIsAnother) {
  process(101, kCommand, "sh\0"s, "/bin/sh");
  missed_.look({}, now_ns_ += kSecond);
  process(101, 1, "/other\0"s, "/x/libcoreclr.so", "", 8);
  wait();
  EXPECT_TRUE(missed_.found({}).empty());
}

}  // namespace
}  // namespace walkabout::cli
