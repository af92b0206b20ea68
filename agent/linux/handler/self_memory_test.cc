#include "agent/linux/handler/self_memory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/linux/handler/fork_mark.h"

namespace walkabout::agent {
namespace {

uint64_t read_word(const volatile uint64_t& word) {
  uint64_t value = 0;
  return read_self(nullptr, reinterpret_cast<uint64_t>(&word), &value, sizeof value) ? value : 0;
}

TEST(SelfMemory, AChildReadsItsOwn) {
  const ForkMark mark;
  const OwnProcess process(mark);
  volatile uint64_t word = 1;
  EXPECT_EQ(read_word(word), 1u);
  const pid_t child = ::fork();
  if (child == 0) {
    word = 2;
    ::_exit(read_word(word) == 2 && OwnProcess::number() == ::getpid() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(SelfMemory, WhatIsNotMappedIsRefused) {
  uint64_t value = 0;
  EXPECT_FALSE(read_self(nullptr, 8, &value, sizeof value));
  volatile uint64_t word = 3;
  EXPECT_EQ(read_word(word), 3u) << "and without a mark";
}

}  // namespace
}  // namespace walkabout::agent
