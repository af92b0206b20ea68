#include "launch/trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "launch/session_dir.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr uid_t kStranger = 12345;

struct stat with(mode_t mode, uid_t uid, gid_t gid) {
  struct stat s {};
  s.st_mode = mode, s.st_uid = uid, s.st_gid = gid;
  return s;
}

TEST(Trust, WhoMayWriteByMode) {
  EXPECT_FALSE(others_may_write(with(S_IFREG | 0644, 0, 0)));
  EXPECT_TRUE(others_may_write(with(S_IFREG | 0646, 0, 0)));
  EXPECT_TRUE(others_may_write(with(S_IFDIR | 0777, 0, 0)));
  EXPECT_FALSE(others_may_write(with(S_IFDIR | 01777, 0, 0)));
  EXPECT_TRUE(others_may_write(with(S_IFREG | S_ISVTX | 0666, 0, 0)))
      << "a file's sticky bit keeps nobody out";
}

// As files are with umask 002.
TEST(Trust, APrivateGroupIsItsUserAgain) {
  EXPECT_FALSE(others_may_write(with(S_IFREG | 0664, 0, 0)));
  EXPECT_FALSE(others_may_write(with(S_IFREG | 0664, kStranger, kStranger))) << "without names, by number";
  EXPECT_TRUE(others_may_write(with(S_IFREG | 0664, kStranger, kStranger + 1)));
  EXPECT_TRUE(others_may_write(with(S_IFREG | 0664, kStranger, 0)));
  EXPECT_TRUE(others_may_write(with(S_IFREG | 0664, 0, kStranger)));
}

// A tree like an installation: program and agent, below a folder of their own.
class TrustPath : public ::testing::Test {
 protected:
  TrustPath() {
    ::mkdtemp(root_.data());
    fs::create_directories(root_ + "/bin");
    fs::create_directories(root_ + "/lib");
    for (const char* file : {"/bin/walkabout", "/lib/agent.so"}) std::ofstream(root_ + file) << "x";
  }
  ~TrustPath() override { fs::remove_all(root_); }
  std::string check() const {
    return check_trust(root_ + "/lib/agent.so", root_ + "/bin/walkabout").message();
  }
  void set_mode(const char* path, mode_t mode) const { EXPECT_EQ(::chmod((root_ + path).c_str(), mode), 0); }
  void give(const char* path, uid_t to) const { EXPECT_EQ(::chown((root_ + path).c_str(), to, to), 0); }
  std::string root_ = "/tmp/walkabout-trust-XXXXXX";
};

TEST_F(TrustPath, OursIsFineAlsoBelowAStickyFolder) { EXPECT_EQ(check(), ""); }

TEST_F(TrustPath, EveryFolderAboveCounts) {
  for (const char* place : {"", "/lib", "/lib/agent.so"}) {
    set_mode(place, 0757);
    EXPECT_THAT(check(), HasSubstr(root_ + place + " may be written by others (mode 0757); chmod go-w"));
    set_mode(place, 0755);
  }
  set_mode("/lib", 01777);
  EXPECT_EQ(check(), "");
}

TEST_F(TrustPath, WhatIsNotThereIsNotTrusted) {
  EXPECT_THAT(check_trust(root_ + "/missing", root_).message(), HasSubstr("No such file"));
}

TEST_F(TrustPath, AnotherUsersIsNotOurs) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  give("/lib/agent.so", kStranger);
  EXPECT_THAT(check(), HasSubstr("/lib/agent.so belongs to user 12345"));
  give("/lib/agent.so", 0);
  give("/lib", kStranger);
  EXPECT_THAT(check(), HasSubstr("/lib belongs to user 12345"));
}

TEST_F(TrustPath, WhoCouldReplaceTheProgramIsTrustedAlready) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  give("", kStranger);
  EXPECT_EQ(check(), "");
  give("/lib/agent.so", kStranger);
  EXPECT_EQ(check(), "");
}

class SessionPlace : public TrustPath {
 protected:
  SessionPlace() {
    ::setenv("XDG_RUNTIME_DIR", root_.c_str(), 1);
    ::unsetenv("TMPDIR");
  }
  ~SessionPlace() override { ::unsetenv("XDG_RUNTIME_DIR"); }
};

TEST_F(SessionPlace, AFolderNobodyElseCanEnterOrReplace) {
  {
    const auto session = SessionDir::create();
    ASSERT_TRUE(session.ok()) << session.message();
    EXPECT_THAT(session->path(), HasSubstr(root_));
    struct stat s {};
    ASSERT_EQ(::stat(session->path().c_str(), &s), 0);
    EXPECT_EQ(s.st_mode & 07777, 0700u);
  }
  set_mode("", 0777);
  const auto elsewhere = SessionDir::create();
  ASSERT_TRUE(elsewhere.ok()) << elsewhere.message();
  EXPECT_EQ(elsewhere->path().find(root_), std::string::npos);
}

TEST_F(SessionPlace, NorInAnotherUsersFolder) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  give("", kStranger);
  const auto elsewhere = SessionDir::create();
  ASSERT_TRUE(elsewhere.ok()) << elsewhere.message();
  EXPECT_EQ(elsewhere->path().find(root_), std::string::npos);
}

}  // namespace
}  // namespace walkabout::cli
