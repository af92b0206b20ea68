#include "agent/shared/error_out.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "base/fd.h"

namespace walkabout::agent {
namespace {

// Standard error leads elsewhere for as long as this lives.
class Redirected {
 public:
  explicit Redirected(int to) : saved_(::dup(STDERR_FILENO)) { ::dup2(to, STDERR_FILENO); }
  ~Redirected() { ::dup2(saved_.get(), STDERR_FILENO); }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  base::Fd saved_;
};

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_NONBLOCK) != 0) return;
    reader = base::Fd(ends[0]);
    writer = base::Fd(ends[1]);
  }
  std::string read() const {
    char text[8192];
    const ssize_t n = ::read(reader.get(), text, sizeof text);
    return n > 0 ? std::string(text, static_cast<size_t>(n)) : "";
  }
  base::Fd reader, writer;
};

TEST(ErrorOut, ReportsOneLineWhereTheProgramWasStartedWithIt) {
  const Pipe pipe;
  const Redirected there(pipe.writer.get());
  remember_stderr();
  report_on_stderr("two\nlines");
  EXPECT_EQ(pipe.read(), "walkabout: two lines\n");
}

TEST(ErrorOut, ReportsNothingIntoAnotherFileOfTheProgramsUnderItsNumber) {
  const Pipe at_start, later;
  const Redirected there(at_start.writer.get());
  remember_stderr();
  ::dup2(later.writer.get(), STDERR_FILENO);
  report_on_stderr("cause");
  EXPECT_EQ(later.read(), "");
}

TEST(ErrorOut, ReportsNothingWithoutOne) {
  const Pipe pipe;
  const Redirected there(pipe.writer.get());
  ::close(STDERR_FILENO);
  remember_stderr();
  ::dup2(pipe.writer.get(), STDERR_FILENO);
  report_on_stderr("cause");
  EXPECT_EQ(pipe.read(), "");
}

TEST(ErrorOut, WaitsForNoReader) {
  const Pipe pipe;
  const Redirected there(pipe.writer.get());
  remember_stderr();
  while (::write(STDERR_FILENO, "x", 1) == 1) {
  }
  ::fcntl(STDERR_FILENO, F_SETFL, 0);  // a write would wait from now on
  report_on_stderr("cause");
}

TEST(ErrorOut, RaisesNoSignalWhereTheReaderIsGone) {
  Pipe pipe;
  const Redirected there(pipe.writer.get());
  const auto before = ::signal(SIGPIPE, SIG_DFL);  // would end the test
  remember_stderr();
  pipe.reader.reset();
  report_on_stderr("cause");
  ::signal(SIGPIPE, before);
}

}  // namespace
}  // namespace walkabout::agent
