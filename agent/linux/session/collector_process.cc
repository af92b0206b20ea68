#include "agent/linux/session/collector_process.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/linux/trust_rule.h"

namespace walkabout::agent {
namespace {

constexpr int kSocket = 3;  // as the collector has it
constexpr size_t kStack = 16 << 10;
constexpr rlim_t kMostOfTheCollector = 1 << 16;  // where the kernel has no close_range (before 5.9)

// What the two children see. They share our memory while we wait.
struct Launch {
  const char* path;
  int socket, null;  // above kSocket
  rlim_t descriptors;
  bool has_stderr;
  int error = 0;
};

void close_from(unsigned first, rlim_t descriptors) {
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, first, ~0u, 0u) == 0) return;
#endif
  for (rlim_t fd = first; fd < descriptors; ++fd) ::close(static_cast<int>(fd));
}

// Signals stay blocked until the collector lets them in: a handler of the program's must not run here.
int become_collector(void* argument) {
  auto* launch = static_cast<Launch*>(argument);
  ::setsid();
  ::dup2(launch->null, STDIN_FILENO);
  ::dup2(launch->null, STDOUT_FILENO);
  if (!launch->has_stderr) ::dup2(launch->null, STDERR_FILENO);
  ::dup2(launch->socket, kSocket);
  close_from(kSocket + 1, launch->descriptors);
  const char* const arguments[] = {"walkabout", "collect", nullptr};
  ::execve(launch->path, const_cast<char* const*>(arguments), environ);
  launch->error = errno;
  ::_exit(1);
}

int clone_and_wait(int (*child)(void*), void* argument) {
  alignas(16) char stack[kStack];
  return ::clone(child, stack + sizeof stack, CLONE_VM | CLONE_VFORK, argument);
}

int start_and_leave(void* argument) {
  if (clone_and_wait(become_collector, argument) < 0) static_cast<Launch*>(argument)->error = errno;
  ::_exit(0);
}

// With numbers that the collector's own will not take.
base::Fd moved_up(int fd) {
  const base::Fd low(fd);
  return base::Fd(::fcntl(low.get(), F_DUPFD_CLOEXEC, kSocket + 1));
}

// The path may be the environment's, which is not shown.
base::Status failed(int error) {
  return base::Status::error(std::string("the program walkabout, which collects, cannot be started: ") +
                             strerror(error) + "; WALKABOUT_CLI says where it is");
}

// Our library, as the program named it; empty if nobody knows.
std::string own_library() {
  Dl_info self{};
  const bool known = ::dladdr(reinterpret_cast<void*>(&start_collector), &self) != 0;
  return known && self.dli_fname != nullptr ? self.dli_fname : "";
}

// Without links; empty if it is not there.
std::string real(const std::string& path) {
  const std::unique_ptr<char, decltype(&::free)> found(::realpath(path.c_str(), nullptr), ::free);
  return found != nullptr ? found.get() : "";
}

// What is executed is the path that was looked at.
base::Result<std::string> trusted(const std::string& path) {
  std::string program = real(path);
  if (program.empty()) return failed(errno);
  if (!base::find_distrusted(program, real(own_library()), base::private_by_files)) return program;
  return base::Status::error(
      "the program walkabout, which collects, is not executed, for others could replace it: it or a folder "
      "above "
      "it may be written by others, or is another user's (`namei -l` shows which); WALKABOUT_CLI says where "
      "it "
      "is");
}

}  // namespace

std::string collector_path(const std::string& requested) {
  if (!requested.empty()) return requested;
  std::string folder = own_library();
  folder.resize(folder.rfind('/') + 1);  // without one: empty
  std::string beside = folder + "walkabout";
  return ::access(beside.c_str(), X_OK) == 0 ? beside : folder + "../../bin/walkabout";
}

base::Result<base::Fd> start_collector(const std::string& path) {
  const base::Result<std::string> program = trusted(path);
  if (!program.ok()) return program.status();
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return failed(errno);
  base::Fd ours = moved_up(ends[0]);
  const base::Fd theirs = moved_up(ends[1]);
  const base::Fd null = moved_up(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!ours.valid() || !theirs.valid() || !null.valid()) return failed(errno);
  rlimit files{kMostOfTheCollector, kMostOfTheCollector};
  ::getrlimit(RLIMIT_NOFILE, &files);
  Launch launch{program->c_str(), theirs.get(), null.get(), std::min(files.rlim_cur, kMostOfTheCollector),
                ::fcntl(STDERR_FILENO, F_GETFD) >= 0};
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const int child = clone_and_wait(start_and_leave, &launch);
  const int error = errno;
  if (child > 0) {
    while (::waitpid(child, nullptr, __WCLONE) < 0 && errno == EINTR) {
    }
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (child < 0) return failed(error);
  if (launch.error != 0) return failed(launch.error);
  return ours;
}

}  // namespace walkabout::agent
