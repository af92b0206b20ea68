#include "base/linux/read_file.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace walkabout::base {
namespace {

TEST(ReadFile, GivesItAll) {
  std::string text;
  ASSERT_TRUE(read_file("/proc/self/status", &text));
  EXPECT_NE(text.find("\nPid:\t" + std::to_string(::getpid()) + "\n"), std::string::npos);
  ASSERT_TRUE(read_file("/proc/self/smaps", &text));
  EXPECT_GT(text.size(), 4096u);
}

TEST(ReadFile, ReportsThatThereIsNone) {
  std::string text = "before";
  EXPECT_FALSE(read_file("/no/such/file", &text));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(text, "");
}

TEST(ReadFile, ThatCannotBeReadIsNone) {
  std::string text;
  EXPECT_FALSE(read_file("/proc/self", &text));
  EXPECT_EQ(errno, EISDIR);
}

}  // namespace
}  // namespace walkabout::base
