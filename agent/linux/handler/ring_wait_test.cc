#include "agent/linux/handler/ring_wait.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "base/fd.h"

namespace walkabout::agent {
namespace {

constexpr long kSetup = 425;

class RingWait : public ::testing::Test {
 protected:
  void SetUp() override {
    std::array<uint8_t, 120> parameters{};  // struct io_uring_params
    ring_ = base::Fd(static_cast<int>(::syscall(kSetup, 4, parameters.data())));
    if (!ring_.valid()) GTEST_SKIP() << "no io_uring here";
    set(REG_RIP, reinterpret_cast<greg_t>(code_.data() + 4));
    set(REG_RAX, -EINTR);
    set(REG_RDI, ring_.get());
    set(REG_R10, 9);  // waits, with an extended argument
  }
  void set(int reg, greg_t value) { context_.uc_mcontext.gregs[reg] = value; }
  greg_t get(int reg) const { return context_.uc_mcontext.gregs[reg]; }
  void expect_left_alone() {
    const greg_t pc = get(REG_RIP), rax = get(REG_RAX);
    EXPECT_FALSE(repeat_ring_wait(&context_));
    EXPECT_EQ(get(REG_RIP), pc);
    EXPECT_EQ(get(REG_RAX), rax);
  }

  base::Fd ring_;
  std::array<uint8_t, 5> code_{0x90, 0x90, 0x0f, 0x05, 0xc3};
  ucontext_t context_{};
};

TEST_F(RingWait, IsMadeAgain) {
  ASSERT_TRUE(repeat_ring_wait(&context_));
  EXPECT_EQ(get(REG_RIP), reinterpret_cast<greg_t>(code_.data() + 2));
  EXPECT_EQ(get(REG_RAX), 426);
}

TEST_F(RingWait, ThatEndedByItselfStays) {
  set(REG_RAX, 1);
  expect_left_alone();
}

TEST_F(RingWait, IsNotEveryEintr) {
  set(REG_RIP, reinterpret_cast<greg_t>(code_.data() + 3));
  expect_left_alone();
  set(REG_RIP, 2);  // not mapped
  expect_left_alone();
}

TEST_F(RingWait, IsOfARing) {
  std::array<int, 2> ends;
  ASSERT_EQ(::pipe(ends.data()), 0);
  const base::Fd from(ends[0]), to(ends[1]);
  for (const greg_t fd : {greg_t{ends[0]}, greg_t{99'999}, greg_t{-1}}) {
    set(REG_RDI, fd);
    expect_left_alone();
  }
}

TEST_F(RingWait, OfARingByItsNumberIsUnknown) {
  set(REG_R10, 25);
  expect_left_alone();
}

TEST_F(RingWait, IsAWait) {
  set(REG_R10, 8);
  expect_left_alone();
}

}  // namespace
}  // namespace walkabout::agent
