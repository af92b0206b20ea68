#include "agent/shared/error_out.h"

#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "agent/linux/file_identity.h"
#include "base/error_line.h"

namespace walkabout::agent {
namespace {

// A pipe that can be written to at all has room for as much (PIPE_BUF), and takes it as one.
constexpr size_t kMostAtOnce = 4096;

FileIdentity g_at_start;  // written before there are threads of ours

bool takes_a_line() {
  pollfd one{STDERR_FILENO, POLLOUT, 0};
  return ::poll(&one, 1, 0) == 1 && (one.revents & (POLLERR | POLLNVAL)) == 0;
}

// A pipe's reader may go in this moment: the signal that says so would be the program's.
void write_without_signal(const std::string& line) {
  sigset_t pipe, before, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
  const bool raised = ::write(STDERR_FILENO, line.data(), line.size()) < 0 && errno == EPIPE;
  const timespec now{0, 0};
  if (raised && sigismember(&pending, SIGPIPE) == 0) ::sigtimedwait(&pipe, nullptr, &now);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void remember_stderr() { g_at_start = FileIdentity::of(STDERR_FILENO); }

void report_on_stderr(const std::string& cause) {
  if (g_at_start == FileIdentity{} || FileIdentity::of(STDERR_FILENO) != g_at_start || !takes_a_line())
    return;
  std::string line = base::error_line(cause);
  if (line.size() > kMostAtOnce) {
    line.resize(kMostAtOnce - 1);
    line += '\n';
  }
  write_without_signal(line);
}

}  // namespace walkabout::agent
