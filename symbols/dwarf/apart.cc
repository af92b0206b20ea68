#include "symbols/dwarf/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <new>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
#include "base/linux/write_all.h"

namespace walkabout::symbols {
namespace {

constexpr int kNotDone = 4;  // as kApartNoMemory
constexpr uint64_t kNsPerSecond = 1'000'000'000;
constexpr char kWhole = 'W';  // stands behind an answer

// What it has of its own so far: limits count from there.
uint64_t data_bytes() {
  std::ifstream status("/proc/self/status");
  constexpr std::string_view kLabel = "VmData:";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(kLabel)) return std::stoull(line.substr(kLabel.size())) << 10;
  }
  return 0;
}

void limit(__rlimit_resource_t what, uint64_t soft, uint64_t hard) {
  const rlimit both{soft, hard};
  ::setrlimit(what, &both);
}

void close_but(std::vector<int> kept) {
  kept.insert(kept.end(), {0, 1, 2});
  std::sort(kept.begin(), kept.end());
  unsigned from = 0;
  for (const int fd : kept) {
    if (static_cast<unsigned>(fd) > from) ::syscall(SYS_close_range, from, static_cast<unsigned>(fd) - 1, 0);
    from = static_cast<unsigned>(fd) + 1;
  }
  ::syscall(SYS_close_range, from, ~0u, 0);  // before Linux 5.9 they stay open
}

// Its end says how it went: no handler of ours runs, and no core is left.
void confine(const ApartLimits& limits, pid_t parent) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP, SIGXCPU, SIGPIPE})
    ::signal(signal, SIG_DFL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) ::signal(signal, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNotDone);
  std::ofstream("/proc/self/oom_score_adj") << 1000;
  const uint64_t memory = data_bytes() + limits.memory;
  limit(RLIMIT_DATA, memory, memory);
  limit(RLIMIT_CPU, limits.seconds, limits.seconds + 1);
  limit(RLIMIT_CORE, 0, 0);
  ::prctl(PR_SET_DUMPABLE, 0);
}

[[noreturn]] void be_apart(const ApartLimits& limits, std::vector<int> fds, int out, pid_t parent,
                           const std::function<std::string()>& work) {
  confine(limits, parent);
  fds.push_back(out);
  close_but(std::move(fds));
  int code = kNotDone;
  try {
    if (base::write_all(out, work() + kWhole)) code = 0;
  } catch (const std::bad_alloc&) {
    code = kApartNoMemory;
  } catch (...) {
    code = kNotDone;
  }
  ::_exit(code);
}

// False: it came to no end in time, or says more than it may.
bool read_answer(int in, const ApartLimits& limits, std::string& answer) {
  const uint64_t until = base::monotonic_ns() + limits.clock_seconds * kNsPerSecond;
  std::string buffer(64 << 10, '\0');
  for (;;) {
    const uint64_t now = base::monotonic_ns();
    if (now >= until || answer.size() > limits.answer) return false;
    pollfd ready{in, POLLIN, 0};
    const int wait_ms = static_cast<int>(std::min<uint64_t>((until - now) / 1'000'000 + 1, 1000));
    if (::poll(&ready, 1, wait_ms) <= 0) continue;
    const ssize_t n = ::read(in, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    answer.append(buffer, 0, static_cast<size_t>(n));
  }
}

ApartEnd end_of(int status) {
  if (WIFEXITED(status)) {
    const int code = WEXITSTATUS(status);
    return code == 0 ? ApartEnd::kDone : code == kApartNoMemory ? ApartEnd::kOutOfMemory : ApartEnd::kCrashed;
  }
  const int signal = WTERMSIG(status);
  if (signal == SIGKILL) return ApartEnd::kOutOfMemory;  // by the kernel
  return signal == SIGXCPU ? ApartEnd::kTooLong : ApartEnd::kCrashed;
}

}  // namespace

ApartResult run_apart(const ApartLimits& limits, std::vector<int> fds,
                      const std::function<std::string()>& work) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const base::Fd in(ends[0]);
  base::Fd out(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return {};
  if (pid == 0) be_apart(limits, std::move(fds), out.get(), parent, work);
  out.reset();
  ApartResult result;
  const bool in_time = read_answer(in.get(), limits, result.answer);
  if (!in_time) ::kill(pid, SIGKILL);
  int status = 0;
  rusage used{};
  pid_t ended = 0;
  while ((ended = ::wait4(pid, &status, 0, &used)) < 0 && errno == EINTR) {
  }
  // Whoever started us may have ignored SIGCHLD: then nobody says how it ended.
  const bool whole = in_time && !result.answer.empty() && result.answer.back() == kWhole;
  result.end = ended == pid ? end_of(status) : ApartEnd::kCrashed;
  if (!in_time) result.end = ApartEnd::kTooLong;
  if (whole && (ended != pid || result.end == ApartEnd::kDone))
    result.end = ApartEnd::kDone;
  else if (result.end == ApartEnd::kDone)
    result.end = ApartEnd::kCrashed;
  if (result.end == ApartEnd::kDone)
    result.answer.pop_back();
  else
    result.answer.clear();
  const auto us = [](const timeval& t) {
    return static_cast<uint64_t>(t.tv_sec) * 1'000'000 + static_cast<uint64_t>(t.tv_usec);
  };
  result.cpu_us = us(used.ru_utime) + us(used.ru_stime);
  return result;
}

}  // namespace walkabout::symbols
