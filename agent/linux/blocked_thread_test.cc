#include "agent/linux/blocked_thread.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "agent/linux/test_threads.h"

namespace walkabout::agent {
namespace {

TEST(ParseSyscall, ABlockedThreadReportsItsCallAndWhereItStands) {
  const ThreadPlace place =
      parse_syscall("202 0x7f01 0x189 0x0 0x0 0x0 0xffffffff 0x7f0245d1ec80 0x7f0246b2a1c6\n");
  EXPECT_EQ(place.standing, Standing::kBlocked);
  EXPECT_EQ(place.call, 202);
  EXPECT_EQ(place.sp, 0x7f0245d1ec80u);
  EXPECT_EQ(place.pc, 0x7f0246b2a1c6u);
}

TEST(ParseSyscall, OneThatIsBlockedOutsideOfACallHasNoArguments) {
  const ThreadPlace place = parse_syscall("-1 0x7ffe1000 0x401000\n");
  EXPECT_EQ(place.standing, Standing::kBlocked);
  EXPECT_EQ(place.call, -1);
  EXPECT_EQ(place.sp, 0x7ffe1000u);
  EXPECT_EQ(place.pc, 0x401000u);
}

TEST(ParseSyscall, ARunningThreadReportsNothingElse) {
  EXPECT_EQ(parse_syscall("running\n").standing, Standing::kRuns);
}

TEST(ParseSyscall, WhatCannotBeReadIsUnknown) {
  for (const char* text : {"", "\n", "202", "202 0x1 0x2 0x3 0x4 0x5 0x6 0x7", "x 0x1", "-2 0x1 0x2",
                           "-1 0x7ffe1000 zero", "-1 0x7ffe1000 0x0", "18446744073709551616 0x1 0x2"}) {
    EXPECT_EQ(parse_syscall(text).standing, Standing::kUnknown) << text;
  }
}

TEST(ParseSchedstat, HasThreeNumbers) {
  const auto counts = parse_schedstat("1200 340 56\n");
  ASSERT_TRUE(counts.has_value());
  EXPECT_EQ(counts->ran_ns, 1200u);
  EXPECT_EQ(counts->waited_ns, 340u);
  EXPECT_EQ(counts->runs, 56u);
  EXPECT_FALSE(parse_schedstat("1200 340").has_value());
  EXPECT_FALSE(parse_schedstat("").has_value());
}

// A thread that waits for a byte of a pipe.
struct Waiting {
  Waiting() {
    EXPECT_EQ(::pipe(pipe_), 0);
    thread_ = std::thread([this] {
      tid = static_cast<pid_t>(::syscall(SYS_gettid));
      char byte = 0;
      while (::read(pipe_[0], &byte, 1) == 1 && byte != 0) ++read;
    });
    while (tid == 0 || place_of(tid).call != SYS_read) std::this_thread::yield();
  }
  ~Waiting() {
    wake(0);
    thread_.join();
    ::close(pipe_[0]);
    ::close(pipe_[1]);
  }
  void wake(char byte) const { EXPECT_EQ(::write(pipe_[1], &byte, 1), 1); }

  std::atomic<pid_t> tid{0};
  std::atomic<int> read{0};

 private:
  int pipe_[2] = {};
  std::thread thread_;
};

TEST(TaskFile, AThreadInAReadIsThere) {
  const Waiting waiting;
  const ThreadPlace place = place_of(waiting.tid);
  EXPECT_EQ(place.standing, Standing::kBlocked);
  EXPECT_EQ(place.call, SYS_read);
  EXPECT_NE(place.sp, 0u);
}

TEST(TaskFile, AThreadThatComputesRuns) {
  const testing::ComputingThread thread;
  EXPECT_EQ(place_of(thread.tid()).standing, Standing::kRuns);
}

TEST(TaskFile, AThreadThatIsNoneIsGone) {
  pid_t ended = 0;
  std::thread([&] { ended = static_cast<pid_t>(::syscall(SYS_gettid)); }).join();
  while (place_of(ended).standing != Standing::kGone) std::this_thread::yield();
  EXPECT_FALSE(counts_of(ended).has_value());
}

// Broken by a missing file that counts as a thread that is gone.
TEST(TaskFile, WithoutProcALivingThreadIsUnknown) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::chroot("/sys/kernel") != 0 && ::chroot("/mnt") != 0) ::_exit(77);
    if (::access("/proc/self", F_OK) == 0) ::_exit(77);
    ::_exit(place_of(::getpid()).standing == Standing::kUnknown ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "may not call chroot";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(TaskFile, TheRunCountStandsStillWhileTheThreadDoesAndMovesWhenItRan) {
  const Waiting waiting;
  const auto before = counts_of(waiting.tid);
  ASSERT_TRUE(before.has_value());
  if (before->runs == 0) GTEST_SKIP() << "the kernel keeps no schedstat";
  ::poll(nullptr, 0, 20);
  EXPECT_EQ(counts_of(waiting.tid)->runs, before->runs);
  waiting.wake('x');
  while (waiting.read == 0 || place_of(waiting.tid).call != SYS_read) std::this_thread::yield();
  EXPECT_GT(counts_of(waiting.tid)->runs, before->runs);
}

}  // namespace
}  // namespace walkabout::agent
