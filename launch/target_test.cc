#include "launch/target.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

#include <stdexcept>

namespace walkabout::cli {
namespace {

Target started(const char* script) {
  base::Result<Target> target = Target::start({"/bin/sh", "-c", script}, {{"GREETING", "hello"}});
  if (!target.ok()) throw std::runtime_error(target.message());
  return std::move(*target);
}

TargetEnd end_of(Target& target) {
  if (target.end_fd() >= 0) {  // Linux 5.3
    pollfd fd{target.end_fd(), POLLIN, 0};
    EXPECT_EQ(::poll(&fd, 1, -1), 1);
    const std::optional<TargetEnd> end = target.poll();
    EXPECT_TRUE(end.has_value()) << "its descriptor was readable";
    return end.value_or(TargetEnd{});
  }
  std::optional<TargetEnd> end;
  while (!(end = target.poll())) ::poll(nullptr, 0, 1);
  return *end;
}

TEST(Target, EndsWithTheCommandsExitCode) {
  Target target = started("exit 7");
  const TargetEnd end = end_of(target);
  EXPECT_EQ(end.exit_code, 7);
  EXPECT_EQ(end.signal, 0);
}

TEST(Target, HasWhatIsAddedToTheEnvironment) {
  Target target = started("test \"$GREETING\" = hello");
  EXPECT_EQ(end_of(target).exit_code, 0);
}

TEST(Target, ThatASignalEndsReportsItTheWayAShellDoes) {
  Target target = started("exec sleep 60");
  EXPECT_FALSE(target.poll().has_value());
  target.send(SIGKILL);
  const TargetEnd end = end_of(target);
  EXPECT_EQ(end.exit_code, 128 + SIGKILL);
  EXPECT_EQ(end.signal, SIGKILL);
}

// As some supervisors start what they run; the command has it as we had it: SIGCHLD is the 17th bit.
TEST(Target, EndIsReportedWhereNobodyWantedToKnowOfChildren) {
  ::signal(SIGCHLD, SIG_IGN);
  base::Result<Target> target =
      Target::start({"grep", "-q", "^SigIgn:.*[13579bdf]....$", "/proc/self/status"}, {});
  ASSERT_TRUE(target.ok()) << target.message();
  EXPECT_EQ(end_of(*target).exit_code, 0);
  ::signal(SIGCHLD, SIG_DFL);
}

TEST(Target, ThatCannotBeStartedReportsWhy) {
  const base::Result<Target> target = Target::start({"/nothing/here"}, {});
  ASSERT_FALSE(target.ok());
  EXPECT_NE(target.message().find("is not there"), std::string::npos) << target.message();
}

}  // namespace
}  // namespace walkabout::cli
