#include "tests/step/signal_mask.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>

#include <cstring>

namespace walkabout::agent::step {
namespace {

constexpr uint64_t kTrap = uint64_t{1} << (SIGTRAP - 1);
constexpr uint64_t kUser = uint64_t{1} << (SIGUSR1 - 1);

class Thread {
 public:
  int64_t mask(int how, const uint64_t* set, uint64_t* old, int64_t size = 8) {
    greg_t* g = context_.uc_mcontext.gregs;
    g[REG_RAX] = SYS_rt_sigprocmask;
    g[REG_RDI] = how;
    g[REG_RSI] = reinterpret_cast<greg_t>(set);
    g[REG_RDX] = reinterpret_cast<greg_t>(old);
    g[REG_R10] = size;
    g[REG_RIP] = 1000;
    EXPECT_TRUE(signals_.emulate(&context_));
    EXPECT_EQ(g[REG_RIP], 1002);
    return g[REG_RAX];
  }
  uint64_t kernels() const {
    uint64_t value = 0;
    std::memcpy(&value, &context_.uc_sigmask, sizeof value);
    return value;
  }

 private:
  ucontext_t context_{};
  SignalMask signals_;
};

TEST(SignalMask, TheThreadSeesWhatItSetButTheTrapStaysOpen) {
  Thread thread;
  const uint64_t all = ~uint64_t{0};
  uint64_t old = 1;
  EXPECT_EQ(thread.mask(SIG_SETMASK, &all, &old), 0);
  EXPECT_EQ(old, 0u);
  EXPECT_EQ(thread.kernels() & (kTrap | kUser), kUser);
  EXPECT_EQ(thread.mask(SIG_UNBLOCK, &kUser, &old), 0);
  EXPECT_EQ(old & (kTrap | kUser), kTrap | kUser);
  EXPECT_EQ(thread.mask(SIG_BLOCK, nullptr, &old), 0);
  EXPECT_EQ(old & (kTrap | kUser), kTrap);
  EXPECT_EQ(thread.mask(SIG_SETMASK, &kUser, nullptr), 0);
  EXPECT_EQ(thread.mask(SIG_BLOCK, &kTrap, &old), 0);
  EXPECT_EQ(old, kUser);
  EXPECT_EQ(thread.kernels(), kUser);
}

TEST(SignalMask, WhatTheKernelRefusesIsRefused) {
  Thread thread;
  uint64_t old = 1;
  EXPECT_EQ(thread.mask(99, &kUser, &old), -EINVAL);
  EXPECT_EQ(thread.mask(SIG_BLOCK, &kUser, &old, 4), -EINVAL);
  EXPECT_EQ(thread.kernels(), 0u);
  EXPECT_EQ(old, 1u);
}

TEST(SignalMask, OtherSystemCallsAreNotTouched) {
  ucontext_t context{};
  context.uc_mcontext.gregs[REG_RAX] = SYS_getpid;
  context.uc_mcontext.gregs[REG_RIP] = 1000;
  SignalMask signals;
  EXPECT_FALSE(signals.emulate(&context));
  EXPECT_EQ(context.uc_mcontext.gregs[REG_RIP], 1000);
}

}  // namespace
}  // namespace walkabout::agent::step
