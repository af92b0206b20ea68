#include "launch/attach_rendezvous.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "launch/agent_copy.h"
#include "launch/test_agent.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;
using diagnostics::Process;
using ::testing::HasSubstr;

// This process, seen as one whose root is a folder of the test's: a container.
class AttachRendezvousTest : public ::testing::Test {
 protected:
  AttachRendezvousTest() {
    ::mkdtemp(root_.data());
    fs::create_directory(root_ + "/tmp");
    agent_ = root_ + "-agent.so";
    std::ofstream(agent_) << "the agent";
    contained_ = std::move(*diagnostics::look_at(::getpid()));
    contained_.environment.clear();
    contained_.root = base::Fd(::open(root_.c_str(), O_PATH | O_DIRECTORY));
    contained_.same_root = false;
  }
  ~AttachRendezvousTest() override {
    fs::remove_all(root_);
    fs::remove(agent_);
  }
  size_t files_in_tmp() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(root_ + "/tmp"), fs::directory_iterator()));
  }
  std::string root_ = "/tmp/walkabout-rendezvous-XXXXXX";
  std::string agent_;
  Process contained_;
};

TEST_F(AttachRendezvousTest, AProcessThatSeesOurFilesGetsOurAgent) {
  const auto self = diagnostics::look_at(::getpid());
  ASSERT_TRUE(self.ok());
  const auto rendezvous = AttachRendezvous::make(*self, agent_);
  ASSERT_TRUE(rendezvous.ok()) << rendezvous.message();
  EXPECT_EQ(rendezvous->agent(), agent_);
}

TEST_F(AttachRendezvousTest, AContainersProcessGetsASocketAndACopyThere) {
  std::string socket;
  {
    auto rendezvous = AttachRendezvous::make(contained_, agent_);
    ASSERT_TRUE(rendezvous.ok()) << rendezvous.message();
    socket = rendezvous->socket();
    EXPECT_THAT(socket, ::testing::StartsWith("/tmp/walkabout-"));
    struct stat folder {};
    ASSERT_EQ(::stat(fs::path(root_ + socket).parent_path().c_str(), &folder), 0);
    EXPECT_EQ(folder.st_mode & 0777, 0700u);
    EXPECT_TRUE(testing::TestAgent(root_ + socket).connected());
    std::string copied;
    std::ifstream(root_ + rendezvous->agent()) >> copied;
    EXPECT_EQ(copied, "the");
  }
  EXPECT_FALSE(fs::exists(root_ + socket));
  EXPECT_EQ(files_in_tmp(), 1u) << "the agent, for the next attach";
}

TEST_F(AttachRendezvousTest, ThereIsOneCopyOfOneAgent) {
  const std::string first = AttachRendezvous::make(contained_, agent_)->agent();
  const auto written = fs::last_write_time(root_ + first);
  EXPECT_EQ(AttachRendezvous::make(contained_, agent_)->agent(), first);
  EXPECT_EQ(fs::last_write_time(root_ + first), written);
  std::ofstream(agent_) << "a newer agent";
  EXPECT_NE(AttachRendezvous::make(contained_, agent_)->agent(), first);
}

TEST_F(AttachRendezvousTest, ACopyOthersCouldHaveWrittenIsNotUsed) {
  const std::string copy = AttachRendezvous::make(contained_, agent_)->agent();
  ASSERT_EQ(::chmod((root_ + copy).c_str(), 0666), 0);
  EXPECT_THAT(AttachRendezvous::make(contained_, agent_).message(),
              HasSubstr("there is another file called"));
  fs::remove(root_ + copy);
  fs::create_symlink(agent_, root_ + copy);
  EXPECT_FALSE(AttachRendezvous::make(contained_, agent_).ok()) << "a link may lead anywhere later";
  fs::remove(root_ + copy);
  std::ofstream(root_ + copy) << "something else";
  EXPECT_FALSE(AttachRendezvous::make(contained_, agent_).ok());
  EXPECT_EQ(files_in_tmp(), 1u) << "nothing half made is left";
}

constexpr uid_t kNobody = 65534;
constexpr uid_t kSomebody = 12345;

TEST_F(AttachRendezvousTest, WhatIsMadeForAnotherUserIsThatUsers) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root attaches to other users' processes";
  contained_.uid = contained_.gid = kNobody;
  ASSERT_EQ(::chmod((root_ + "/tmp").c_str(), 01777), 0);
  ASSERT_EQ(::chmod(root_.c_str(), 0755), 0);
  const auto rendezvous = AttachRendezvous::make(contained_, agent_);
  ASSERT_TRUE(rendezvous.ok()) << rendezvous.message();
  const fs::path socket = root_ + rendezvous->socket();
  struct stat s {};
  ASSERT_EQ(::stat(socket.c_str(), &s), 0);
  EXPECT_EQ(s.st_uid, kNobody);
  EXPECT_EQ(s.st_gid, kNobody);
  EXPECT_EQ(s.st_mode & 0777, 0600u);
  ASSERT_EQ(::stat(socket.parent_path().c_str(), &s), 0);
  EXPECT_EQ(s.st_uid, kNobody);
  EXPECT_EQ(s.st_mode & 0777, 0700u);
}

// Root makes nothing where that user could not: a link or folder planted there gains nothing.
TEST_F(AttachRendezvousTest, ForAnotherUserNothingIsMadeWhereThatUserMayNot) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root attaches to other users' processes";
  contained_.uid = contained_.gid = kNobody;
  ASSERT_EQ(::chmod((root_ + "/tmp").c_str(), 0755), 0);
  EXPECT_THAT(AttachRendezvous::make(contained_, agent_).message(), HasSubstr("/tmp: Permission denied"));
  EXPECT_EQ(files_in_tmp(), 0u);
}

TEST_F(AttachRendezvousTest, FoldersWhereAThirdUserCouldReplaceThingsAreNotUsed) {
  ASSERT_EQ(::chmod((root_ + "/tmp").c_str(), 0777), 0);
  EXPECT_THAT(AttachRendezvous::make(contained_, agent_).message(), HasSubstr("/tmp: others could replace"));
  EXPECT_EQ(files_in_tmp(), 0u);
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chmod((root_ + "/tmp").c_str(), 0755), 0);
  ASSERT_EQ(::chown((root_ + "/tmp").c_str(), kSomebody, kSomebody), 0);
  EXPECT_THAT(AttachRendezvous::make(contained_, agent_).message(), HasSubstr("/tmp: others could replace"));
}

TEST_F(AttachRendezvousTest, WithoutAFolderItReportsWhichWereTried) {
  fs::remove_all(root_ + "/tmp");
  const auto rendezvous = AttachRendezvous::make(contained_, agent_);
  EXPECT_THAT(rendezvous.message(), HasSubstr("/tmp: No such file"));
  EXPECT_THAT(rendezvous.message(), HasSubstr("/dev/shm: No such file"));
}

TEST_F(AttachRendezvousTest, AFolderTooDeepForASocketIsPassedOver) {
  const std::string deep = "/tmp/" + std::string(100, 'd');
  fs::create_directory(root_ + deep);
  contained_.environment = "TMPDIR=" + deep;
  const auto rendezvous = AttachRendezvous::make(contained_, agent_);
  ASSERT_TRUE(rendezvous.ok()) << rendezvous.message();
  EXPECT_LT(rendezvous->socket().size(), 100u);
}

TEST_F(AttachRendezvousTest, WhatTheUserMayNotReadIsNotSeen) {
  Process other = std::move(*diagnostics::look_at(::getpid()));
  EXPECT_TRUE(sees_and_may_read(other, agent_));
  other.uid = other.gid = 12345;
  ASSERT_EQ(::chmod(agent_.c_str(), 0640), 0);
  EXPECT_FALSE(sees_and_may_read(other, agent_));
  ASSERT_EQ(::chmod(agent_.c_str(), 0644), 0);
  EXPECT_TRUE(sees_and_may_read(other, agent_));
  EXPECT_FALSE(sees_and_may_read(other, "/no/such/file"));
}

}  // namespace
}  // namespace walkabout::cli
