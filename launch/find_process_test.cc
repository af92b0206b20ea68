#include "launch/find_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace walkabout::cli {
namespace {

using namespace std::literals;
using ::testing::HasSubstr;

class FindProcess : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folders_.proc); }
  void TearDown() override { std::filesystem::remove_all(folders_.proc); }

  void process(const std::string& pid, const std::string& name, const std::string& command_line) {
    const std::filesystem::path folder = std::filesystem::path(folders_.proc) / pid;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "comm") << name << '\n';
    std::ofstream(folder / "cmdline") << command_line;
  }
  pid_t find(const std::string& who) const {
    const base::Result<pid_t> found = find_process(who, folders_);
    return found.ok() ? *found : 0;
  }

  KernelFolders folders_{::testing::TempDir() + "find_process_proc-" + std::to_string(::getpid()), ""};
};

TEST_F(FindProcess, ByNumber) { EXPECT_EQ(find("4711"), 4711); }

TEST_F(FindProcess, ByNameOfTheProgram) {
  process("12", "MyService", "/opt/MyService\0--port\0"s);
  process("13", "bash", "bash\0"s);
  process("self", "MyService", "MyService\0"s);
  EXPECT_EQ(find("MyService"), 12);
  EXPECT_EQ(find("bash"), 13);
}

TEST_F(FindProcess, ByWhatTheHostWasGiven) {
  process("12", "dotnet", "/usr/bin/dotnet\0exec\0/srv/Shop.dll\0Other.dll\0"s);
  process("13", "tail", "tail\0-f\0Shop.dll\0"s);
  EXPECT_EQ(find("Shop"), 12);
  EXPECT_EQ(find("Shop.dll"), 12);
  EXPECT_EQ(find("Other.dll"), 0);
}

TEST_F(FindProcess, ReportsWhatItTakesWhenThereIsNoneOrMoreThanOne) {
  process("12", "dotnet", "dotnet\0a.dll\0"s);
  process("9", "dotnet", "dotnet\0b.dll\0"s);
  EXPECT_EQ(find_process("dotnet", folders_).message(),
            "2 processes are called 'dotnet': give the PID of one, 9, 12");
  EXPECT_THAT(find_process("abc", folders_).message(),
              HasSubstr("no process is called 'abc'; give a PID (a number)"));
  EXPECT_EQ(find("-5"), 0);
}

}  // namespace
}  // namespace walkabout::cli
