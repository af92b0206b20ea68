#include "agent/linux/session/collector_process.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace walkabout::agent {
namespace {

volatile sig_atomic_t g_child_signals = 0;

// A script in the collector's place; what it writes to descriptor 3 is what it saw.
class CollectorProcess : public ::testing::Test {
 protected:
  CollectorProcess() : folder_(::testing::TempDir() + "collector-XXXXXX") { ::mkdtemp(folder_.data()); }
  ~CollectorProcess() override { std::filesystem::remove_all(folder_); }

  std::string script(const std::string& body) const {
    std::string path = folder_ + "/script";
    std::ofstream(path) << "#!/bin/sh\n" << body;
    ::chmod(path.c_str(), 0700);
    return path;
  }
  static std::string received(const base::Fd& socket) {
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::recv(socket.get(), buffer, sizeof buffer, 0)) > 0;)
      text.append(buffer, static_cast<size_t>(n));
    return text;
  }
  std::string folder_;
};

TEST_F(CollectorProcess, IsTheOtherEndOfTheSocket) {
  const auto socket = start_collector(script("echo \"$1\" >&3\n"));
  ASSERT_TRUE(socket.ok()) << socket.message();
  EXPECT_EQ(received(*socket), "collect\n");
}

TEST_F(CollectorProcess, HasNoneOfOurDescriptorsAndASessionOfItsOwn) {
  const int leaked = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC, as programs do
  const auto socket =
      // Without a pipe, whose ends would be seen; the shell reads the script by 10.
      start_collector(script("n=0; while [ $n -lt 64 ]; do\n"
                             "  [ -e /proc/$$/fd/$n ] && [ $n != 10 ] && all=\"$all$n \"; n=$((n + 1))\n"
                             "done; printf '%s' \"$all\" >&3; readlink /proc/$$/fd/0 >&3\n"
                             "cut -d' ' -f6 /proc/$$/stat >&3; "
                             "echo $$ >&3\n"));
  ::close(leaked);
  ASSERT_TRUE(socket.ok());
  std::string text = received(*socket);
  EXPECT_EQ(text.rfind("0 1 2 3 /dev/null\n", 0), 0u) << text;
  const size_t session = text.find('\n') + 1, pid = text.find('\n', session) + 1;
  EXPECT_EQ(text.substr(session, pid - session), text.substr(pid));
}

TEST_F(CollectorProcess, IsNoChildThatTheProgramSees) {
  g_child_signals = 0;
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) { g_child_signals = g_child_signals + 1; };
  ::sigaction(SIGCHLD, &action, &before);
  const auto socket = start_collector(script("echo done >&3\n"));
  ASSERT_TRUE(socket.ok());
  EXPECT_EQ(received(*socket), "done\n");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG | __WALL), -1) << "nor a zombie for who asks for all";
  ::sigaction(SIGCHLD, &before, nullptr);
  EXPECT_EQ(g_child_signals, 0);
}

TEST_F(CollectorProcess, WorksWithoutStandardDescriptors) {
  const std::string path = script("test -e /proc/$$/fd/2 && echo all there >&3\n");
  const auto body = [&path] {
    for (int fd = 0; fd < 64; ++fd) ::close(fd);
    const auto socket = start_collector(path);
    ::_exit(socket.ok() && received(*socket) == "all there\n" ? 0 : 1);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

TEST_F(CollectorProcess, OneThatIsNotThereIsAnErrorThatReportsWhatToDo) {
  const auto socket = start_collector(folder_ + "/nothing");
  ASSERT_FALSE(socket.ok());
  EXPECT_EQ(socket.message().find(folder_), std::string::npos) << "it may be the environment's";
  EXPECT_NE(socket.message().find("WALKABOUT_CLI"), std::string::npos);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG | __WALL), -1);
}

TEST_F(CollectorProcess, WhatOthersCouldReplaceIsNotExecuted) {
  const std::string ran = folder_ + "/ran", path = script("touch " + ran + "\n"), link = folder_ + "-link";
  const auto refused = [&](const std::string& what) {
    const auto socket = start_collector(what);
    if (socket.ok()) return received(*socket) + "was started";
    return socket.message().find(folder_) == std::string::npos ? socket.message() : "names the place";
  };
  std::filesystem::create_symlink(path, link);  // whose own folder is fine
  for (const std::string& place : {path, folder_}) {
    ::chmod(place.c_str(), 0777);
    EXPECT_NE(refused(path).find("others could replace it"), std::string::npos) << place;
    EXPECT_NE(refused(link).find("others could replace it"), std::string::npos) << place;
    ::chmod(place.c_str(), 0700);
  }
  EXPECT_FALSE(std::filesystem::exists(ran));
  EXPECT_NE(refused(link).find("was started"), std::string::npos) << "by the link, too";
  EXPECT_TRUE(std::filesystem::exists(ran));
  std::filesystem::remove(link);
}

TEST_F(CollectorProcess, ARequestedPathComesBeforeWhatIsBesideTheLibrary) {
  EXPECT_EQ(collector_path("/opt/walkabout"), "/opt/walkabout");
  EXPECT_NE(collector_path("").find("walkabout"), std::string::npos);
}

}  // namespace
}  // namespace walkabout::agent
