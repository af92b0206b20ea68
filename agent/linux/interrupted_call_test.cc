#include "agent/linux/interrupted_call.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <thread>
#include <vector>

namespace walkabout::agent {
namespace {

constexpr greg_t kInterrupted = -EINTR;

std::vector<uint8_t> call(uint8_t number, std::vector<uint8_t> between = {}) {
  std::vector<uint8_t> code(16, 0x90);
  code.insert(code.end(), {0xb8, number, 0, 0, 0});
  code.insert(code.end(), between.begin(), between.end());
  code.insert(code.end(), {0x0f, 0x05});
  return code;
}

// The code ends where the thread goes on.
bool restarts(std::span<const uint8_t> code, greg_t rax, greg_t* number) {
  ucontext_t context = {};
  greg_t* g = context.uc_mcontext.gregs;
  const auto pc = reinterpret_cast<greg_t>(code.data() + code.size());
  g[REG_RIP] = pc;
  g[REG_RAX] = rax;
  const bool again = restart_interrupted_call(&context);
  EXPECT_EQ(g[REG_RIP], again ? pc - 2 : pc);
  EXPECT_TRUE(again || g[REG_RAX] == rax);
  *number = g[REG_RAX];
  return again;
}

TEST(InterruptedCall, IsMadeAgain) {
  greg_t number = 0;
  EXPECT_TRUE(restarts(call(SYS_poll), kInterrupted, &number));
  EXPECT_EQ(number, SYS_poll);
  EXPECT_TRUE(restarts(call(SYS_nanosleep, {0x8b, 0x7c, 0x24, 0x0c}), kInterrupted, &number));
  EXPECT_EQ(number, SYS_nanosleep);
}

TEST(InterruptedCall, OnlyWhenItWasInterrupted) {
  greg_t number = 0;
  EXPECT_FALSE(restarts(call(SYS_poll), 0, &number));
  EXPECT_FALSE(restarts(call(SYS_poll), -EAGAIN, &number));
}

TEST(InterruptedCall, OnlyKnownCallsInAKnownForm) {
  greg_t number = 0;
  EXPECT_FALSE(restarts(call(SYS_connect), kInterrupted, &number));
  EXPECT_FALSE(restarts(call(SYS_pause), kInterrupted, &number));
  EXPECT_FALSE(restarts(call(SYS_poll, {0x8b, 0x7c, 0x90, 0x90}), kInterrupted, &number));
  EXPECT_FALSE(restarts(std::vector<uint8_t>(32, 0x90), kInterrupted, &number));
}

TEST(InterruptedCall, OnlyWhereTheCodeBeforeCanBeRead) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  auto* pages = static_cast<uint8_t*>(
      ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  const std::vector<uint8_t> code = call(SYS_poll);
  uint8_t* second = pages + page;
  std::copy(code.end() - 2, code.end(), second);
  std::copy(code.begin(), code.end() - 2, second - code.size() + 2);
  greg_t number = 0;
  EXPECT_TRUE(restarts({second, 2}, kInterrupted, &number));
  ASSERT_EQ(::munmap(pages, page), 0);
  EXPECT_FALSE(restarts({second, 2}, kInterrupted, &number));
  ::munmap(second, page);
}

void on_signal(int, siginfo_t*, void* context) {
  restart_interrupted_call(static_cast<ucontext_t*>(context));
}

// libc's own poll, hit by signals until something comes to read.
TEST(InterruptedCall, TheProgramDoesNotNotice) {
  struct sigaction action = {}, before = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  ASSERT_EQ(::sigaction(SIGURG, &action, &before), 0);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::atomic<int> answer{-2};
  std::thread polls([&] {
    pollfd fd{ends[0], POLLIN, 0};
    answer = ::poll(&fd, 1, -1);
  });
  for (int i = 0; i < 200; ++i) {
    ::pthread_kill(polls.native_handle(), SIGURG);
    ::usleep(100);
  }
  EXPECT_EQ(answer.load(), -2) << "poll has returned";
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  polls.join();
  EXPECT_EQ(answer.load(), 1);
  ::sigaction(SIGURG, &before, nullptr);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace walkabout::agent
