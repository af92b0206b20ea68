#include "agent/linux/descriptor_host.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <semaphore>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace walkabout::agent {
namespace {

// Of the calling thread's table.
std::set<std::string> open_here() {
  std::set<std::string> all;
  DIR* dir = ::opendir("/proc/thread-self/fd");
  const std::string own = std::to_string(::dirfd(dir));
  while (const dirent* entry = ::readdir(dir)) {
    if (entry->d_name != own && entry->d_name[0] != '.') all.insert(entry->d_name);
  }
  ::closedir(dir);
  return all;
}

struct DescriptorHostTest : ::testing::Test {
  DescriptorHostTest() { EXPECT_TRUE(host.start().ok()); }
  DescriptorHost host;
};

TEST_F(DescriptorHostTest, WhatItOpensTheProgramDoesNotSee) {
  ASSERT_TRUE(host.apart()) << "this kernel has tables of one's own";
  EXPECT_EQ(host.note(), "");
  const auto before = open_here();
  HostedFd fd(host);
  EXPECT_TRUE(host.call([&] { fd.take(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }));
  EXPECT_TRUE(fd.valid());
  EXPECT_EQ(open_here(), before);
  const int next = ::dup(STDIN_FILENO);
  EXPECT_EQ(before.count(std::to_string(next)), 0u);
  ::close(next);
}

TEST_F(DescriptorHostTest, OfTheProgramsItHasNone) {
  std::set<std::string> there;
  host.call([&] { there = open_here(); });
  EXPECT_EQ(there.size(), 3u) << "they stand for the standard ones";
  ssize_t written = 0, read = 0;
  char byte = 0;
  host.call([&] {
    written = ::write(STDERR_FILENO, "an abort's last words", 21);
    read = ::read(STDIN_FILENO, &byte, 1);
  });
  EXPECT_EQ(written, -1);
  EXPECT_EQ(read, -1);
}

TEST_F(DescriptorHostTest, APipeOfTheProgramsEndsWhenTheProgramClosesIt) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  DescriptorHost later;
  ASSERT_TRUE(later.start().ok());
  ::close(ends[1]);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);
  ::close(ends[0]);
}

TEST_F(DescriptorHostTest, AProgramThatClosesEverythingClosesNothingOfOurs) {
  const auto body = [] {
    DescriptorHost in_child;
    HostedFd fd(in_child);
    int ends[2];
    const bool ready = in_child.start().ok() && in_child.call([&] {
      if (::pipe(ends) == 0) fd.take(ends[1]);
    });
    for (int i = 0; i < 1024; ++i) ::close(i);
    bool ours = false;
    char byte = 0;
    in_child.call(
        [&] { ours = fd.is_ours() && ::write(fd.get(), "x", 1) == 1 && ::read(ends[0], &byte, 1) == 1; });
    ::_exit(ready && ours && byte == 'x' ? 0 : 1);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

TEST_F(DescriptorHostTest, AForkedChildHasNoneAndIsRefused) {
  HostedFd fd(host);
  host.call([&] { fd.take(::open("/dev/null", O_RDONLY)); });
  const auto before = open_here();
  const pid_t child = ::fork();
  if (child == 0) {
    const bool done = host.call([] {});
    host.stop();
    ::_exit(!done && open_here() == before ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(host.call([] {}));
}

TEST_F(DescriptorHostTest, ManyThreadsCall) {
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 500; ++k) host.call([&] { done.store(done.load() + 1); });
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(done, 8 * 500) << "one after the other";
}

TEST_F(DescriptorHostTest, WorkOfItsOwnThreadsRunsAtOnce) {
  bool nested = false, by_other = false;
  host.call([&] { host.call([&] { nested = true; }); });
  EXPECT_TRUE(nested);
  std::atomic<pid_t> tid{0};
  OwnThread other;
  host.call([&] {
    EXPECT_TRUE(other
                    .start("helper", &tid,
                           [&] {
                             host.enter();
                             host.call([&] { by_other = open_here().size() == 3; });
                           })
                    .ok());
  });
  other.join();
  EXPECT_TRUE(by_other) << "it has the host's table";
}

// The kernel takes a pending signal away when the program begins to ignore it.
TEST_F(DescriptorHostTest, AProgramThatIgnoresItsSignalHoldsNothingUp) {
  struct sigaction before {};
  ::sigaction(SIGSTKFLT, nullptr, &before);
  std::atomic<bool> over{false};
  std::thread program([&] {
    while (!over) ::signal(SIGSTKFLT, SIG_IGN);
  });
  for (int i = 0; i < 200; ++i) host.call([] {});
  over = true;
  program.join();
  ::sigaction(SIGSTKFLT, &before, nullptr);
}

TEST_F(DescriptorHostTest, StoppedItDoesNothingMore) {
  HostedFd fd(host);
  host.call([&] { fd.take(::open("/dev/null", O_RDONLY)); });
  const int same = fd.get();
  const int programs = ::dup2(STDIN_FILENO, same + 100);
  host.stop();
  bool ran = false;
  EXPECT_FALSE(host.call([&] { ran = true; }));
  EXPECT_FALSE(ran);
  fd.reset();
  EXPECT_GE(::fcntl(programs, F_GETFD), 0);
  ::close(programs);
}

TEST_F(DescriptorHostTest, ASocketsOtherEndIsWatched) {
  std::counting_semaphore<8> gone{0};
  int ends[2];
  host.call([&] {
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    host.watch(ends[0], [&] { gone.release(); });
  });
  EXPECT_FALSE(gone.try_acquire());
  host.call([&] { ::close(ends[1]); });
  gone.acquire();
  host.call([] {});
  EXPECT_FALSE(gone.try_acquire()) << "once";
}

// Its end comes from elsewhere: no work of the host's is behind it.
TEST_F(DescriptorHostTest, TheEndOfASocketsOtherEndWakesIt) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "walkabout-host-test-%d", ::getpid());
  const auto* address = reinterpret_cast<const sockaddr*>(&name);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(::bind(listener, address, sizeof name), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  std::counting_semaphore<8> gone{0};
  host.call([&] {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::connect(socket, address, sizeof name), 0);
    host.watch(socket, [&] { gone.release(); });
    EXPECT_NE(::fcntl(socket, F_GETFL) & O_ASYNC, 0) << "it is not merely looked at";
  });
  const int accepted = ::accept(listener, nullptr, nullptr);
  EXPECT_FALSE(gone.try_acquire());
  ::close(accepted);
  gone.acquire();
  ::close(listener);
}

uint64_t times_woken(pid_t tid) {
  std::ifstream status("/proc/self/task/" + std::to_string(tid) + "/status");
  for (std::string line; std::getline(status, line);) {
    uint64_t times = 0;
    if (std::sscanf(line.c_str(), "voluntary_ctxt_switches: %lu", &times) == 1) return times;
  }
  return 0;
}

// Each tick is a signal.
TEST_F(DescriptorHostTest, SignalsOfOtherThreadsDoNotWakeIt) {
  struct sigaction before {
  }, ignored_by_us{};
  ignored_by_us.sa_handler = [](int) {};
  ::sigaction(SIGURG, &ignored_by_us, &before);
  const uint64_t woken = times_woken(host.tid().load());
  EXPECT_GT(woken, 0u);
  constexpr int kSignals = 400;
  for (int i = 0; i < kSignals; ++i) {
    ::raise(SIGURG);
    ::usleep(50);  // so that it could sleep again
  }
  EXPECT_LT(times_woken(host.tid().load()) - woken, kSignals / 10u);
  ::sigaction(SIGURG, &before, nullptr);
}

TEST_F(DescriptorHostTest, StandardErrorIsKeptForAsLongAsItIsWanted) {
  DescriptorHost other;
  ASSERT_TRUE(other.start(DescriptorHost::StandardError::kKept).ok());
  FileIdentity kept, dropped;
  other.call([&] { kept = FileIdentity::of(STDERR_FILENO); });
  other.drop_standard_error();
  other.call([&] { dropped = FileIdentity::of(STDERR_FILENO); });
  EXPECT_EQ(kept, FileIdentity::of(STDERR_FILENO));
  EXPECT_NE(dropped, kept);
}

TEST(DescriptorHostInProgramsTable, DescriptorsLieAboveTheProgramsAndAreReported) {
  DescriptorHost host;
  ASSERT_TRUE(host.start(DescriptorHost::StandardError::kDropped, DescriptorHost::Table::kPrograms).ok());
  EXPECT_FALSE(host.apart());
  EXPECT_NE(host.note(), "");
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  HostedFd fd(host);
  host.call([&] { fd.take(::memfd_create("mine", MFD_CLOEXEC)); });
  EXPECT_GE(static_cast<rlim_t>(fd.get()), std::min<rlim_t>(8192, files.rlim_cur / 2));
  EXPECT_TRUE(fd.is_ours());
  // Another file under our number is not taken for ours and not closed.
  ASSERT_EQ(::dup2(STDIN_FILENO, fd.get()), fd.get());
  EXPECT_FALSE(fd.is_ours());
  const int number = fd.get();
  fd.reset();
  EXPECT_GE(::fcntl(number, F_GETFD), 0);
  ::close(number);
}

TEST(DescriptorHostNotStarted, WorkRunsWhereItIsRequested) {
  DescriptorHost host;
  pid_t tid = 0;
  EXPECT_TRUE(host.call([&] { tid = ::gettid(); }));
  EXPECT_EQ(tid, ::gettid());
}

}  // namespace
}  // namespace walkabout::agent
