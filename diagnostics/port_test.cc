#include "diagnostics/port.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "diagnostics/no_port.h"
#include "diagnostics/test_port.h"

namespace walkabout::diagnostics {
namespace {

using ::testing::HasSubstr;

constexpr int kTimeoutMs = 20'000;

TEST(Port, ACommandGetsItsReply) {
  testing::TestPort runtime({testing::done("yes")});
  ASSERT_TRUE(runtime.listening());
  auto request = Port(runtime.path()).send({3, 1}, "payload");
  ASSERT_TRUE(request.ok()) << request.message();
  const auto reply = request->wait(kTimeoutMs);
  ASSERT_TRUE(reply.ok()) << reply.message();
  EXPECT_EQ(reply->payload, "yes");
  EXPECT_EQ(runtime.requests(), std::vector<std::string>{*make_message({3, 1}, "payload")});
}

TEST(Port, WhatIsNoReplyIsReported) {
  testing::TestPort runtime({"HTTP/1.1 400 Bad Request\r\n\r\n", "", "DOTNET_IPC"});
  const Port port(runtime.path());
  EXPECT_THAT(port.send({3, 1}, "")->wait(kTimeoutMs).message(), HasSubstr("does not speak"));
  EXPECT_THAT(port.send({3, 1}, "")->wait(kTimeoutMs).message(), HasSubstr("closed its diagnostics socket"));
  EXPECT_THAT(port.send({3, 1}, "")->wait(kTimeoutMs).message(), HasSubstr("closed its diagnostics socket"));
}

TEST(Port, SilenceIsNotWaitedForForEver) {
  testing::TestPort runtime({});
  EXPECT_THAT(Port(runtime.path()).send({3, 1}, "")->wait(1).message(), HasSubstr("does not answer"));
}

TEST(Port, NobodyThere) {
  EXPECT_FALSE(Port("/no/such/socket").send({3, 1}, "").ok());
  EXPECT_FALSE(Port(std::string(200, 'x')).send({3, 1}, "").ok());
}

// A process of its own making: this one's, with a root and an environment of the test's.
class PortOfTest : public ::testing::Test {
 protected:
  PortOfTest() {
    ::mkdtemp(folder_.data());
    process_ = std::move(*look_at(::getpid()));
    process_.environment = "TMPDIR=" + folder_ + '\0';
  }
  ~PortOfTest() override { std::filesystem::remove_all(folder_); }
  std::string socket_name(uint64_t start) const {
    return folder_ + "/dotnet-diagnostic-" + std::to_string(process_.own_pid) + "-" + std::to_string(start) +
           "-socket";
  }
  std::string folder_ = "/tmp/walkabout-port-XXXXXX";
  Process process_;
};

TEST_F(PortOfTest, ItsOwnIsFoundAmongOthers) {
  testing::TestPort runtime({testing::done("own")});
  std::filesystem::rename(runtime.path(), socket_name(process_.start_time));
  const base::Fd other(::socket(AF_UNIX, SOCK_STREAM, 0));
  std::filesystem::create_symlink("/nowhere", socket_name(1));
  const auto port = Port::of(process_);
  ASSERT_TRUE(port.ok()) << port.message();
}

// In a time namespace the start time is another.
TEST_F(PortOfTest, OneOfAnotherStartTimeDoes) {
  testing::TestPort runtime({testing::done()});
  std::filesystem::rename(runtime.path(), socket_name(42));
  EXPECT_TRUE(Port::of(process_).ok());
}

TEST_F(PortOfTest, AStaleOneIsReported) {
  {
    testing::TestPort ended({});
    std::filesystem::rename(ended.path(), socket_name(process_.start_time));
  }
  EXPECT_THAT(Port::of(process_).message(), HasSubstr("stale"));
}

TEST_F(PortOfTest, OneOfAnEarlierProcessProvesNothingOfThisOne) {
  {
    testing::TestPort ended({});
    std::filesystem::rename(ended.path(), socket_name(42));
  }
  EXPECT_THAT(Port::of(process_).message(), HasSubstr("is not a .NET program"));
}

// Listens as another user and process would; ends with the object. Made while this process has one thread.
class Impostor {
 public:
  explicit Impostor(const std::string& name) : name_(name), listens_at_(name + "-impostor") {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      testing::TestPort port({testing::done("trapped")});
      const bool listens = port.listening() && ::rename(port.path().c_str(), listens_at_.c_str()) == 0;
      [[maybe_unused]] const ssize_t n = ::write(ready[1], listens ? "y" : "n", 1);
      ::pause();
    }
    ::close(ready[1]);
    char ready_byte = 'n';
    EXPECT_EQ(::read(ready[0], &ready_byte, 1), 1);
    EXPECT_EQ(ready_byte, 'y');
    ::close(ready[0]);
  }
  void take_its_name() const { std::filesystem::rename(listens_at_, name_); }
  ~Impostor() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

 private:
  const std::string name_, listens_at_;
  pid_t pid_;
};

TEST_F(PortOfTest, AnotherProcessUnderItsNameIsNotConnectedTo) {
  const Impostor impostor(socket_name(process_.start_time));
  impostor.take_its_name();
  EXPECT_THAT(Port::of(process_).message(), HasSubstr("is not its own"));
}

// It takes the place of the runtime's socket after that was looked at.
TEST_F(PortOfTest, NorIfItComesLater) {
  const std::string name = socket_name(process_.start_time);
  const Impostor impostor(name);
  testing::TestPort runtime({testing::done(), testing::done("own")});  // looking is a connection too
  std::filesystem::rename(runtime.path(), name);
  const auto port = Port::of(process_);
  ASSERT_TRUE(port.ok()) << port.message();
  impostor.take_its_name();
  const auto reply = port->send({3, 1}, "")->wait(kTimeoutMs);
  ASSERT_TRUE(reply.ok()) << reply.message();
  EXPECT_EQ(reply->payload, "own");
}

TEST_F(PortOfTest, TheFilesOfOthersAreNotTried) {
  const std::string name = socket_name(process_.start_time);
  std::ofstream(name) << "no socket";
  EXPECT_THAT(Port::of(process_).message(), HasSubstr("is not its own"));
  std::filesystem::remove(name);
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make another user's socket";
  testing::TestPort runtime({testing::done()});
  std::filesystem::rename(runtime.path(), name);
  ASSERT_EQ(::chown(name.c_str(), 12345, 12345), 0);
  EXPECT_THAT(Port::of(process_).message(), HasSubstr("is not its own"));
}

TEST_F(PortOfTest, SwitchedOffIsReported) {
  process_.environment += std::string("COMPlus_EnableDiagnostics=0") + '\0';
  EXPECT_THAT(Port::of(process_).message(), HasSubstr("switched off"));
}

TEST_F(PortOfTest, AProgramWithoutARuntimeIsNotDotnet) {
  EXPECT_THAT(Port::of(process_).message(), HasSubstr("is not a .NET program"));
  process_.environment = "TMPDIR=/no/such/folder";
  EXPECT_THAT(Port::of(process_).message(), HasSubstr("is not a .NET program"));
  EXPECT_FALSE(is_native_aot(process_));
}

}  // namespace
}  // namespace walkabout::diagnostics
