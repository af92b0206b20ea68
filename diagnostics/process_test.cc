#include "diagnostics/process.h"

#include <errno.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace walkabout::diagnostics {
namespace {

using namespace std::literals;
using ::testing::HasSubstr;

TEST(Process, ThisOneIsSeenAsItIs) {
  const auto self = look_at(::getpid());
  ASSERT_TRUE(self.ok()) << self.message();
  EXPECT_EQ(self->own_pid, ::getpid());
  EXPECT_EQ(self->uid, ::geteuid());
  EXPECT_EQ(self->gid, ::getegid());
  EXPECT_GT(self->start_time, 0u);
  EXPECT_TRUE(self->same_root);
  EXPECT_NE(environment_value(*self, "PATH"), "");
}

TEST(Process, NoSuchProcessAndOneThatHasEnded) {
  EXPECT_THAT(look_at(-1).message(), HasSubstr("there is no process -1"));
  EXPECT_THAT(look_at(0).message(), HasSubstr("there is no process 0"));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_THAT(look_at(child).message(), HasSubstr("has ended already"));
  ::waitpid(child, nullptr, 0);
  EXPECT_THAT(look_at(child).message(), HasSubstr("there is no process"));
}

TEST(Process, WhatMayNotBeLookedIntoNamesACapabilityOnlyWhereItLacks) {
  EXPECT_EQ(
      may_not_look(7, EPERM, false).message(),
      "cannot look into process 7: Operation not permitted; that needs the capability CAP_SYS_PTRACE, or a "
      "process that is dumpable");
  EXPECT_THAT(may_not_look(7, EACCES, true).message(),
              HasSubstr("process 7: Permission denied; walkabout has the capability CAP_SYS_PTRACE, so"));
  EXPECT_EQ(may_not_look(7, EIO, false).message(), "cannot look into process 7: Input/output error");
}

TEST(Process, EnvironmentsHaveNamesAndValues) {
  Process process;
  process.environment = "A=1\0AB=2=3\0B\0=C\0DOTNET_X=new\0COMPlus_X=old\0COMPlus_Y=0"s;
  EXPECT_EQ(environment_value(process, "A"), "1");
  EXPECT_EQ(environment_value(process, "AB"), "2=3");
  EXPECT_EQ(environment_value(process, "B"), "");
  EXPECT_EQ(environment_value(process, "C"), "");
  EXPECT_EQ(clr_setting(process, "X"), "new");
  EXPECT_EQ(clr_setting(process, "Y"), "0");
  EXPECT_EQ(temporary_folder(process), "/tmp");
  process.environment = "TMPDIR=/var/run/app//";
  EXPECT_EQ(temporary_folder(process), "/var/run/app");
}

TEST(Process, LinksInItsRootDoNotLeadOutOfIt) {
  std::string root = "/tmp/walkabout-root-XXXXXX";
  ASSERT_NE(::mkdtemp(root.data()), nullptr);
  std::filesystem::create_directories(root + "/etc");
  std::ofstream(root + "/etc/passwd") << "theirs";
  std::filesystem::create_symlink("/etc/passwd", root + "/absolute");
  std::filesystem::create_symlink("../../../../etc/passwd", root + "/upwards");
  Process process;
  process.root = base::Fd(::open(root.c_str(), O_PATH | O_DIRECTORY));
  for (const char* path : {"/etc/passwd", "/absolute", "/upwards", "/../etc/passwd"}) {
    const base::Fd file = open_in_root(process, path, O_RDONLY);
    char text[16] = {};
    EXPECT_EQ(::read(file.get(), text, sizeof text - 1), 6) << path;
    EXPECT_STREQ(text, "theirs") << path;
  }
  EXPECT_FALSE(open_in_root(process, "/proc/self", O_PATH).valid());
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace walkabout::diagnostics
