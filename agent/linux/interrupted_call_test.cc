#include "agent/linux/interrupted_call.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "agent/linux/self_memory.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kInterrupted = static_cast<uint64_t>(-EINTR);

struct Code {
  std::vector<uint8_t> bytes;
  uint64_t pc() const { return reinterpret_cast<uint64_t>(bytes.data() + bytes.size()); }
  walker::Memory memory() const { return {reinterpret_cast<uint64_t>(bytes.data()), pc(), nullptr, nullptr}; }
};

std::vector<uint8_t> call(uint8_t number, std::vector<uint8_t> between = {}) {
  std::vector<uint8_t> code(16, 0x90);
  code.insert(code.end(), {0xb8, number, 0, 0, 0});
  code.insert(code.end(), between.begin(), between.end());
  code.insert(code.end(), {0x0f, 0x05});
  return code;
}

bool restarts(const Code& code, uint64_t rax, uint64_t* number) {
  uint64_t pc = code.pc();
  *number = rax;
  if (!restart_interrupted_call(code.memory(), &pc, number)) {
    EXPECT_EQ(pc, code.pc());
    EXPECT_EQ(*number, rax);
    return false;
  }
  EXPECT_EQ(pc, code.pc() - 2);
  return true;
}

TEST(InterruptedCall, IsMadeAgain) {
  uint64_t number = 0;
  EXPECT_TRUE(restarts({call(SYS_poll)}, kInterrupted, &number));
  EXPECT_EQ(number, uint64_t{SYS_poll});
  EXPECT_TRUE(restarts({call(SYS_nanosleep, {0x8b, 0x7c, 0x24, 0x0c})}, kInterrupted, &number));
  EXPECT_EQ(number, uint64_t{SYS_nanosleep});
}

TEST(InterruptedCall, OnlyWhenItWasInterrupted) {
  uint64_t number = 0;
  EXPECT_FALSE(restarts({call(SYS_poll)}, 0, &number));
  EXPECT_FALSE(restarts({call(SYS_poll)}, static_cast<uint64_t>(-EAGAIN), &number));
}

TEST(InterruptedCall, OnlyKnownCallsInAKnownForm) {
  uint64_t number = 0;
  EXPECT_FALSE(restarts({call(SYS_connect)}, kInterrupted, &number));
  EXPECT_FALSE(restarts({call(SYS_pause)}, kInterrupted, &number));
  EXPECT_FALSE(restarts({call(SYS_poll, {0x8b, 0x7c, 0x90, 0x90})}, kInterrupted, &number));
  EXPECT_FALSE(restarts({std::vector<uint8_t>(32, 0x90)}, kInterrupted, &number));
  EXPECT_FALSE(restarts({{0x0f, 0x05}}, kInterrupted, &number)) << "what is before cannot be read";
}

void on_signal(int, siginfo_t*, void* data) {
  greg_t* g = static_cast<ucontext_t*>(data)->uc_mcontext.gregs;
  walker::Memory memory;
  memory.slow = read_self;
  uint64_t pc = static_cast<uint64_t>(g[REG_RIP]), rax = static_cast<uint64_t>(g[REG_RAX]);
  if (!restart_interrupted_call(memory, &pc, &rax)) return;
  g[REG_RIP] = static_cast<greg_t>(pc);
  g[REG_RAX] = static_cast<greg_t>(rax);
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
