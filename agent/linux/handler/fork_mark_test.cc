#include "agent/linux/handler/fork_mark.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace walkabout::agent {
namespace {

TEST(ForkMark, AChildIsAnotherProcess) {
  const ForkMark mark;
  EXPECT_TRUE(mark.is_own_process());
  EXPECT_EQ(mark.process(), ::getpid());
  const pid_t child = ::fork();
  if (child == 0) ::_exit(mark.is_own_process() || mark.process() != ::getpid() ? 1 : 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(mark.is_own_process());
}

}  // namespace
}  // namespace walkabout::agent
