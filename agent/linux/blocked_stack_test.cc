#include "agent/linux/blocked_stack.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "agent/linux/test_threads.h"

namespace walkabout::agent {
namespace {

TEST(StackCopy, ReadsWhatWasThereWhenItWasCopied) {
  std::vector<uint64_t> words(16 << 10);
  for (size_t i = 0; i < words.size(); ++i) words[i] = i;
  StackCopy copy;
  const auto sp = reinterpret_cast<uint64_t>(words.data());
  copy.begin(sp, sp + words.size() * 8);
  const unwind::Memory memory = copy.memory();
  uint64_t word = 0;
  ASSERT_TRUE(memory.load64(sp, &word));
  words[1] = 77;  // of the chunk that was copied
  ASSERT_TRUE(memory.load64(sp + 8, &word));
  EXPECT_EQ(word, 1u);
  ASSERT_TRUE(memory.load64(sp + (words.size() - 1) * 8, &word));
  EXPECT_EQ(word, words.size() - 1);
}

TEST(StackCopy, EndsWhereTheMemoryEnds) {
  const long page = ::sysconf(_SC_PAGESIZE);
  auto* memory = static_cast<uint8_t*>(
      ::mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  ASSERT_EQ(::munmap(memory + 2 * page, page), 0);
  StackCopy copy;
  const auto sp = reinterpret_cast<uint64_t>(memory) + 256;
  copy.begin(sp, 0);
  uint64_t word = 0;
  EXPECT_TRUE(copy.memory().load64(sp, &word));
  EXPECT_TRUE(copy.memory().load64(sp - 256 + 2 * page - 8, &word));
  EXPECT_FALSE(copy.memory().load64(sp - 256 + 2 * page, &word));
  EXPECT_FALSE(copy.memory().load64(sp - 256 + 2 * page - 4, &word));
  ::munmap(memory, 2 * page);
}

TEST(StackCopy, AnswersOutsideOfTheStackAFewTimesOnly) {
  uint64_t elsewhere = 5, stack[2] = {};
  StackCopy copy;
  copy.begin(reinterpret_cast<uint64_t>(stack), reinterpret_cast<uint64_t>(stack + 2));
  uint64_t word = 0;
  const auto address = reinterpret_cast<uint64_t>(&elsewhere);
  for (uint32_t i = 0; i < StackCopy::kMostOutside; ++i) ASSERT_TRUE(copy.memory().load64(address, &word));
  EXPECT_EQ(word, 5u);
  EXPECT_FALSE(copy.memory().load64(address, &word));
}

TEST(StackCopy, NoAddressOfTheKernelIsRead) {
  StackCopy copy;
  copy.begin(4096, 0);
  uint64_t word = 0;
  EXPECT_FALSE(copy.memory().load64(0x7ff0'0000'0000'0000, &word));
  EXPECT_FALSE(copy.memory().load64(~uint64_t{7}, &word));
}

// Stacks need a code map, which these tests have none of: a walk ends at its first frame.
struct Looker {
  unwind::ReaderGate gate;
  unwind::JitMap jitted{gate};
  unwind::ImageMap images{gate};
  BlockedStacks stacks{unwind::CodeMap{&images, &jitted}, gate, 64};
};

TEST(BlockedStacks, ABlockedThreadHasItsCallAndALeaf) {
  Looker looker;
  std::atomic<pid_t> tid{0};
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  std::thread thread([&] {
    tid = static_cast<pid_t>(::syscall(SYS_gettid));
    pollfd wait{pipe[0], POLLIN, 0};
    ::poll(&wait, 1, -1);
  });
  while (tid == 0 || place_of(tid).call != SYS_poll) std::this_thread::yield();
  const BlockedStack& seen = looker.stacks.look(tid, 0, 0, 0);
  EXPECT_EQ(seen.standing, Standing::kBlocked);
  EXPECT_EQ(seen.call, SYS_poll);
  EXPECT_GE(seen.walk.frames, 1u);
  EXPECT_NE(seen.walk.end, wire::WalkEnd::kRooted);
  EXPECT_EQ(::write(pipe[1], "x", 1), 1);
  thread.join();
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(BlockedStacks, ARunningThreadHasNoStack) {
  Looker looker;
  testing::ComputingThread thread;
  EXPECT_EQ(looker.stacks.look(thread.tid(), 0, 0, 0).standing, Standing::kRuns);
  thread.stop();
  while (looker.stacks.look(thread.tid(), 0, 0, 0).standing != Standing::kGone) std::this_thread::yield();
}

}  // namespace
}  // namespace walkabout::agent
