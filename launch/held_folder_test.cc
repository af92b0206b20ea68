#include "launch/held_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "launch/session_dir.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

class HeldFolderTest : public ::testing::Test {
 protected:
  HeldFolderTest() {
    ::mkdtemp(path_.data());
    parent_ = base::Fd(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  ~HeldFolderTest() override { fs::remove_all(path_); }

  std::string make(const std::string& name, bool with_socket = true) {
    fs::create_directory(path_ + "/" + name);
    if (with_socket) {
      EXPECT_EQ(::mknod((path_ + "/" + name + "/agent").c_str(), S_IFSOCK | 0600, 0), 0);
    }
    return name;
  }
  bool exists(const std::string& name) const { return fs::exists(path_ + "/" + name); }
  void clear() { remove_stale_folders(parent_, "walkabout-x-", ::geteuid()); }

  std::string path_ = "/tmp/walkabout-held-XXXXXX";
  base::Fd parent_;
};

TEST_F(HeldFolderTest, OfTheDeadOnlyRecordingsStay) {
  make("walkabout-x-1");
  make("walkabout-x-2");
  std::ofstream(path_ + "/walkabout-x-2/0.walk") << "a recording";
  make("walkabout-x-3", false);
  clear();
  EXPECT_FALSE(exists("walkabout-x-1"));
  EXPECT_TRUE(exists("walkabout-x-2/0.walk"));
  EXPECT_FALSE(exists("walkabout-x-2/agent"));
  EXPECT_FALSE(exists("walkabout-x-3"));
}

TEST_F(HeldFolderTest, WhatIsHeldOrIsNoneOfOursStays) {
  const base::Fd held = hold_folder(parent_, make("walkabout-x-1"));
  ASSERT_TRUE(held.valid());
  make("walkabout-y-1");
  make("walkabout-x-2", false);
  std::ofstream(path_ + "/walkabout-x-2/agent") << "no socket";
  fs::create_directory_symlink(path_ + "/walkabout-y-1", path_ + "/walkabout-x-3");
  clear();
  remove_stale_folders(parent_, "walkabout-y-", ::geteuid() + 1);
  for (const char* name :
       {"walkabout-x-1/agent", "walkabout-y-1/agent", "walkabout-x-2/agent", "walkabout-x-3"})
    EXPECT_TRUE(exists(name)) << name;
}

TEST_F(HeldFolderTest, WhatWasTakenForADeadOnesIsReported) {
  make("walkabout-x-1");
  clear();
  EXPECT_FALSE(hold_folder(parent_, "walkabout-x-1").valid());
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(HeldFolderTest, ASessionClearsThoseOfKilledOnes) {
  ASSERT_EQ(::chmod(path_.c_str(), 0700), 0);
  ::setenv("XDG_RUNTIME_DIR", path_.c_str(), 1);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t killed = ::fork();
  if (killed == 0) {
    const auto session = SessionDir::create();
    ::mknod((session->path() + "/agent").c_str(), S_IFSOCK | 0600, 0);
    static_cast<void>(!::write(ready[1], "y", 1));
    ::pause();
  }
  char ready_byte = 0;
  ASSERT_EQ(::read(ready[0], &ready_byte, 1), 1);
  const auto sessions = [this] {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  };
  {
    const auto beside = SessionDir::create();
    EXPECT_EQ(sessions(), 2);
  }
  ::kill(killed, SIGKILL);
  ::waitpid(killed, nullptr, 0);
  EXPECT_EQ(sessions(), 1);
  const auto next = SessionDir::create();
  ASSERT_TRUE(next.ok()) << next.message();
  EXPECT_EQ(sessions(), 1);
  EXPECT_TRUE(fs::exists(next->path()));
  ::unsetenv("XDG_RUNTIME_DIR");
}

}  // namespace
}  // namespace walkabout::cli
