#include "cli/missed_children.h"

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

class MissedChildrenTest : public ::testing::Test {
 protected:
  void SetUp() override { process(kCommand, 1, "sh\0"s, ""); }
  void TearDown() override { std::filesystem::remove_all(folders_.proc); }

  void process(pid_t pid, pid_t parent, const std::string& command_line, const std::string& mapped,
               const std::string& environment = "", int start = 7) const {
    const std::filesystem::path folder = std::filesystem::path(folders_.proc) / std::to_string(pid);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "stat") << pid << " (a ) name) S " << parent
                                   << " 1 1 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 1 0 " << start << " 1 1\n";
    std::ofstream(folder / "cmdline") << command_line;
    std::ofstream(folder / "maps") << "7f00-7f01 r-xp 0 08:01 1 " << mapped << "\n";
    std::ofstream(folder / "environ") << environment;
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
  process(101, kCommand, "dotnet\0a.dll\0"s, "/x/libcoreclr.so");
  missed_.look({}, now_ns_ += kSecond);
  missed_.look({}, now_ns_ += kSecond);
  gone(101);
  wait();
  EXPECT_TRUE(missed_.found({}).empty()) << "a short one is not spoken of";
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
