#include "agent/windows/thread_word.h"

#include <gtest/gtest.h>

#include <thread>

#include "agent/windows/own_thread.h"

namespace walkabout::agent {
namespace {

TEST(ThreadWord, IsEachThreadsOwn) {
  const ThreadWord word;
  EXPECT_EQ(word.get(), 0u);
  word.set(5);
  uintptr_t others = 1;
  std::thread([&] { others = word.get(); }).join();
  EXPECT_EQ(others, 0u);
  EXPECT_EQ(word.get(), 5u);
}

TEST(OwnThreadWindows, KnowsItself) {
  EXPECT_FALSE(OwnThread::is_current());
  OwnThread thread;
  std::atomic<pid_t> tid{0};
  bool is = false;
  ASSERT_TRUE(thread.start("own", &tid, [&] { is = OwnThread::is_current(); }).ok());
  thread.join();
  EXPECT_TRUE(is);
}

}  // namespace
}  // namespace walkabout::agent
