#include "launch/target.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system_error.h"

namespace walkabout::cli {
namespace {

// Ends of children are to be reported, also if whoever started us did not want them (SIGCHLD ignored, which
// exec leaves so). Says what was set.
sighandler_t want_ends() { return ::signal(SIGCHLD, SIG_DFL); }

// In the child: only the program's own dispositions, then the program. Reports errno through the pipe if exec
// fails.
[[noreturn]] void become(const std::vector<std::string>& command, const Environment& extra, int report,
                         sighandler_t ends) {
  ::signal(SIGCHLD, ends);
  ::signal(SIGPIPE,
           SIG_DFL);  // ours; the others we handle are reset by exec, and what was ignored stays ignored
  for (const auto& [name, value] : extra) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t n = ::write(report, &error, sizeof error);
  ::_exit(127);
}

std::string why(const std::string& program, int error) {
  if (error == ENOENT) return "'" + program + "' is not there or not on PATH; check the command after --";
  if (error == EACCES) return "'" + program + "' may not be executed (permission denied)";
  return "'" + program + "' cannot be started: " + strerror(error);
}

}  // namespace

Target::Target(pid_t pid) : pid_(pid), end_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}

base::Result<Target> Target::start(const std::vector<std::string>& command, const Environment& extra) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return base::system_error("cannot make a pipe");
  const base::Fd reader(ends[0]);
  base::Fd writer(ends[1]);
  const sighandler_t ends_before = want_ends();
  const pid_t pid = ::fork();
  if (pid < 0) return base::system_error("cannot fork");
  if (pid == 0) become(command, extra, writer.get(), ends_before);
  writer.reset();
  int error = 0;
  if (::read(reader.get(), &error, sizeof error) == sizeof error) {
    ::waitpid(pid, nullptr, 0);
    return base::Status::error(why(command[0], error));
  }
  return Target(pid);
}

std::optional<TargetEnd> Target::poll() {
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  if (WIFSIGNALED(status)) return TargetEnd{128 + WTERMSIG(status), WTERMSIG(status)};
  return TargetEnd{WEXITSTATUS(status), 0};
}

void Target::send(int signal) const { ::kill(pid_, signal); }

}  // namespace walkabout::cli
