#include "agent/linux/stream_out.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "wire/hello.h"

namespace walkabout::agent {
namespace {

namespace fs = std::filesystem;

class StreamOutTest : public ::testing::Test {
 protected:
  StreamOutTest() {
    ::mkdtemp(folder_.data());
    EXPECT_EQ(::chmod(folder_.c_str(), 0777), 0);
    path_ = folder_ + "/agent";
  }
  ~StreamOutTest() override { fs::remove_all(folder_); }

  // A process of that user listens; what came in from one connection is its exit code: 1 for a byte.
  pid_t listen_as(uid_t user) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
      if (user != ::geteuid() && ::setresuid(user, user, user) != 0) ::_exit(99);
      const base::Fd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
      if (::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
          ::listen(listener.get(), 1) != 0 || ::write(ready[1], "y", 1) != 1)
        ::_exit(98);
      const base::Fd agent(::accept(listener.get(), nullptr, nullptr));
      char byte = 0;
      const bool got_hello = ::recv(agent.get(), &byte, 1, 0) == 1;
      if (got_hello) ::send(agent.get(), "A", 1, MSG_NOSIGNAL);
      ::_exit(got_hello ? 1 : 0);
    }
    ::close(ready[1]);
    char ready_byte = 0;
    EXPECT_EQ(::read(ready[0], &ready_byte, 1), 1);
    ::close(ready[0]);
    return pid;
  }
  static int exit_code(pid_t pid) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
  }
  DescriptorHost host_;  // not started
  std::string folder_ = "/tmp/walkabout-out-XXXXXX";
  std::string path_;
};

TEST_F(StreamOutTest, OurOwnCollectorIsGreeted) {
  const pid_t collector = listen_as(::geteuid());
  bool wanted = false;
  {
    StreamOut out(host_);
    const base::Status status = out.connect(path_, STDIN_FILENO, &wanted);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  EXPECT_TRUE(wanted);
  EXPECT_EQ(exit_code(collector), 1);
}

TEST_F(StreamOutTest, AnotherUsersIsNot) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  const pid_t collector = listen_as(12345);
  bool wanted = false;
  {
    StreamOut out(host_);
    const base::Status status = out.connect(path_, STDIN_FILENO, &wanted);
    EXPECT_NE(status.message().find("another user"), std::string::npos) << status.message();
  }
  EXPECT_FALSE(wanted);
  EXPECT_EQ(exit_code(collector), 0) << "nothing was sent";
}

TEST_F(StreamOutTest, ARefusalIsReceivedWithoutAnAnswer) {
  const base::Fd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listener.get(), 1), 0);
  StreamOut::refuse(path_, "no memory");
  const base::Fd agent(::accept(listener.get(), nullptr, nullptr));
  char received[64] = {};
  EXPECT_EQ(::recv(agent.get(), received, sizeof received, MSG_WAITALL), 10);
  EXPECT_STREQ(received, "Eno memory");
  StreamOut::refuse(folder_ + "/nobody", "listens");
}

TEST_F(StreamOutTest, ClosingWaitsForTheCollectorIfRequested) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  ASSERT_EQ(::send(ends[1], &wire::kWelcome, 1, 0), 1);
  std::atomic<bool> finished{false};
  std::thread collector([fd = ends[1], &finished] {
    char buffer[64];
    while (::recv(fd, buffer, sizeof buffer, 0) > 0) {
    }
    ::usleep(50'000);  // it writes its file
    finished = true;
    ::close(fd);
  });
  bool wanted = false;
  StreamOut out(host_);
  ASSERT_TRUE(out.handshake_with_own(base::Fd(ends[0]), STDIN_FILENO, &wanted).ok());
  EXPECT_TRUE(wanted);
  EXPECT_TRUE(out.collector_is_near()) << "this very process";
  out.wait_at_close();
  out.close();
  EXPECT_TRUE(finished);
  collector.join();
}

// A daemon closes all descriptors; what it opens next gets our number.
TEST_F(StreamOutTest, AnotherFileUnderOurNumberIsNotWrittenAndNotClosed) {
  const pid_t collector = listen_as(::geteuid());
  int programs[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, programs), 0);
  int number = -1;
  {
    StreamOut out(host_);
    bool wanted = false;
    number = ::dup(STDIN_FILENO);  // the next to be had
    ::close(number);
    ASSERT_TRUE(out.connect(path_, STDIN_FILENO, &wanted).ok());
    ASSERT_GE(::fcntl(number, F_GETFD), 0);
    ASSERT_EQ(::dup2(programs[0], number), number);
    EXPECT_NE(out.write("a record").message().find("closed the recording's descriptor"), std::string::npos);
    out.cut();
  }
  char byte = 0;
  EXPECT_EQ(::recv(programs[1], &byte, 1, MSG_DONTWAIT), -1) << "nothing came";
  EXPECT_EQ(::send(number, "x", 1, MSG_NOSIGNAL), 1) << "open, in both directions";
  EXPECT_EQ(::recv(programs[1], &byte, 1, MSG_DONTWAIT), 1);
  for (const int fd : {programs[0], programs[1], number}) ::close(fd);
  EXPECT_EQ(exit_code(collector), 1);
}

TEST_F(StreamOutTest, AFileIsItsOwnersAndNoLinkIsFollowed) {
  StreamOut out(host_);
  ASSERT_TRUE(out.create(folder_ + "/out").ok());
  struct stat s {};
  ASSERT_EQ(::stat((folder_ + "/out").c_str(), &s), 0);
  EXPECT_EQ(s.st_mode & 0777, 0600u);
  std::ofstream(folder_ + "/precious") << "precious";
  fs::create_symlink(folder_ + "/precious", folder_ + "/link");
  EXPECT_FALSE(StreamOut(host_).create(folder_ + "/link").ok());
  EXPECT_EQ(fs::file_size(folder_ + "/precious"), 8u);
}

}  // namespace
}  // namespace walkabout::agent
