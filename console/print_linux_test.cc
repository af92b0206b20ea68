#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "base/fd.h"
#include "console/print.h"

namespace walkabout::cli {
namespace {

// Standard error leads into a pipe that is full and does not block, for as long as this lives.
class FullErrorPipe {
 public:
  FullErrorPipe() : saved_(::dup(STDERR_FILENO)), sigpipe_(::signal(SIGPIPE, SIG_IGN)) {
    int ends[2];
    if (::pipe2(ends, O_NONBLOCK) != 0) return;
    reader = base::Fd(ends[0]);
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
    while (::write(STDERR_FILENO, "x", 1) == 1) {
    }
  }
  ~FullErrorPipe() {
    ::dup2(saved_.get(), STDERR_FILENO);
    ::signal(SIGPIPE, sigpipe_);
  }
  FullErrorPipe(const FullErrorPipe&) = delete;
  FullErrorPipe& operator=(const FullErrorPipe&) = delete;

  std::string read() const {
    std::string all(1 << 20, '\0');
    const ssize_t n = ::read(reader.get(), all.data(), all.size());
    all.resize(n > 0 ? static_cast<size_t>(n) : 0);
    return all;
  }
  base::Fd reader;

 private:
  base::Fd saved_;
  sighandler_t sigpipe_;
};

TEST(Print, AFullPipeIsGivenUpAndUsedAgainWhenItIsRead) {
  const FullErrorPipe full;
  print_stderr("lost");
  try_print_stderr("lost too");
  EXPECT_EQ(full.read().find("lost"), std::string::npos);
  print_stderr("said");
  try_print_stderr(" at once");
  EXPECT_EQ(full.read(), "said at once");
}

TEST(Print, ALineThatTheBlockingPipeHasNoRoomForIsNotWaitedFor) {
  const FullErrorPipe full;
  ::fcntl(STDERR_FILENO, F_SETFL, 0);
  try_print_stderr("lost");
}

TEST(Print, APipeWithoutReaderCostsOnlyTheText) {
  FullErrorPipe full;
  full.reader.reset();
  print_stderr("lost");
  try_print_stderr("lost");
}

}  // namespace
}  // namespace walkabout::cli
